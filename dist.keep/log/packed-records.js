/** A growing list of records of one size, without an object for each: a log has millions of them. */
export class PackedRecords {
    length = 0;
    recordBytes;
    bytes;
    constructor(recordBytes) {
        this.recordBytes = recordBytes;
        this.bytes = Buffer.alloc(recordBytes * 1024);
    }
    /** Appends a record of zeros and returns it, to be filled; good until the next `push`. */
    push() {
        if ((this.length + 1) * this.recordBytes > this.bytes.length) {
            const larger = Buffer.alloc(this.bytes.length * 2);
            this.bytes.copy(larger);
            this.bytes = larger;
        }
        this.length++;
        return this.at(this.length - 1).fill(0);
    }
    pop() {
        this.length--;
    }
    /** The record at an index below `length`; good until the next `push`. */
    at(index) {
        return this.bytes.subarray(index * this.recordBytes, (index + 1) * this.recordBytes);
    }
}
//# sourceMappingURL=packed-records.js.map