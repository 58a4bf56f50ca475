/** A growing list of records of a fixed size, in one buffer instead of millions of objects. */
export class PackedRecords {
  length = 0;
  private readonly recordBytes: number;
  private bytes: Buffer;

  constructor(recordBytes: number) {
    this.recordBytes = recordBytes;
    this.bytes = Buffer.alloc(recordBytes * 1024);
  }

  /** Appends a record of zeros and returns it for writing. Valid until the next `push`. */
  push(): Buffer {
    if ((this.length + 1) * this.recordBytes > this.bytes.length) {
      const larger = Buffer.alloc(this.bytes.length * 2);
      this.bytes.copy(larger);
      this.bytes = larger;
    }
    this.length++;
    return this.at(this.length - 1).fill(0);
  }

  pop(): void {
    this.length--;
  }

  /** Returns the record at an index below `length`. Valid until the next `push`. */
  at(index: number): Buffer {
    return this.bytes.subarray(index * this.recordBytes, (index + 1) * this.recordBytes);
  }
}
