import { FieldScanner } from '../../codec/field-scanner.js';
import { Block } from '../../codec/generated/messages.js';
import { PlainForm } from '../../codec/plain-form.js';
import { type EncodedBlock, readEncodedBlock } from '../../vm/block/encoded-block.js';
import { contractRows } from '../../vm/contracts/table.js';
import { typeName } from '../../vm/transactions/decode-transaction.js';

/** Tags on the wire: number of the field × 8 + 2 for what has a length, 0 for a number. */
const BLOCK_TRANSACTION = 10;
const RAW_DATA = 10;
const CONTRACT = 90;
const CONTRACT_TYPE = 8;
const PARAMETER = 18;
const TYPE_URL = 10;
const VALUE = 18;

/**
 * Reads blocks that are written as every node writes them, with their header alone taken apart: of such a block `readBlock` finds no fault,
 * its bytes are what is written of it, and nothing of it is dropped. Others are not told, and left to `readBlock`.
 */
export class PlainBlocks {
  private readonly form = new PlainForm();

  /** @param isFiltered contracts may hold nothing unknown. Reference: ALLOW_PROTO_FILTER_NUM */
  read(bytes: Uint8Array, isFiltered: boolean): EncodedBlock | undefined {
    if (!this.form.has(Block, bytes) || (isFiltered && !this.hasPlainContracts(bytes))) return undefined;
    return readEncodedBlock(bytes);
  }

  private hasPlainContracts(bytes: Uint8Array): boolean {
    const fields = new FieldScanner(bytes);
    const transaction = new FieldScanner(bytes);
    const raw = new FieldScanner(bytes);
    fields.enter(0, bytes.length);
    while (fields.next()) {
      if (fields.tag !== BLOCK_TRANSACTION) continue;
      transaction.enter(fields.start, fields.end);
      if (!transaction.next() || transaction.tag !== RAW_DATA) return false;
      raw.enter(transaction.start, transaction.end);
      let count = 0;
      while (raw.next()) {
        if (raw.tag !== CONTRACT) continue;
        if (++count > 1 || !this.isPlainContract(bytes, raw.start, raw.end)) return false;
      }
      if (count === 0) return false;
    }
    return true;
  }

  private isPlainContract(bytes: Uint8Array, start: number, end: number): boolean {
    const fields = new FieldScanner(bytes);
    fields.enter(start, end);
    let type = 0;
    let [url, valueStart, valueEnd] = ['', 0, 0];
    while (fields.next()) {
      // A type of more than one byte is none that is known.
      if (fields.tag === CONTRACT_TYPE) type = bytes[fields.start] ?? 0;
      if (fields.tag !== PARAMETER) continue;
      const parameter = new FieldScanner(bytes);
      parameter.enter(fields.start, fields.end);
      while (parameter.next()) {
        if (parameter.tag === TYPE_URL) url = latin1(bytes.subarray(parameter.start, parameter.end));
        if (parameter.tag === VALUE) [valueStart, valueEnd] = [parameter.start, parameter.end];
      }
    }
    const message = contractRows.get(type)?.message;
    return (
      message !== undefined && typeName(url) === message.$name && this.form.has(message, bytes, valueStart, valueEnd)
    );
  }
}

function latin1({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, length).toString('latin1');
}
