import { ANY_TAGS, BLOCK_TAGS, CONTRACT_TAGS, RAW_TAGS, TRANSACTION_TAGS } from '../../codec/block-tags.js';
import { FieldScanner } from '../../codec/field-scanner.js';
import { Block } from '../../codec/generated/messages.js';
import { PlainForm } from '../../codec/plain-form.js';
import { type EncodedBlock, readEncodedBlock } from '../../state-transition/block/encoded-block.js';
import { contractRows } from '../../state-transition/system-contracts/table.js';
import { typeName } from '../../state-transition/transactions/decode-transaction.js';

/**
 * Fast path for canonically encoded blocks: decodes only the header. `readBlock` would accept such a block and not
 * change its bytes. `read` returns undefined for any other encoding, and the caller must then use `readBlock`.
 */
export class CanonicalBlocks {
  private readonly form = new PlainForm();

  /**
   * Reads a block. Returns undefined if the encoding is not canonical.
   * @param isFiltered true to also require the canonical encoding of the contracts' parameters (chain parameter
   * ALLOW_PROTO_FILTER_NUM)
   */
  read(bytes: Uint8Array, isFiltered: boolean): EncodedBlock | undefined {
    if (!this.form.has(Block, bytes) || (isFiltered && !this.hasPlainContracts(bytes))) return undefined;
    return readEncodedBlock(bytes);
  }

  private hasPlainContracts(bytes: Uint8Array): boolean {
    const fields = new FieldScanner(bytes);
    const transaction = new FieldScanner(bytes);
    const raw = new FieldScanner(bytes);
    while (fields.next()) {
      if (fields.tag !== BLOCK_TAGS.transactions) continue;
      transaction.enter(fields.start, fields.end);
      if (!transaction.next() || transaction.tag !== TRANSACTION_TAGS.rawData) return false;
      raw.enter(transaction.start, transaction.end);
      let count = 0;
      while (raw.next()) {
        if (raw.tag !== RAW_TAGS.contract) continue;
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
      // Every known contract type fits into one byte.
      if (fields.tag === CONTRACT_TAGS.type) type = bytes[fields.start] ?? 0;
      if (fields.tag !== CONTRACT_TAGS.parameter) continue;
      const parameter = new FieldScanner(bytes);
      parameter.enter(fields.start, fields.end);
      while (parameter.next()) {
        if (parameter.tag === ANY_TAGS.typeUrl) url = latin1(bytes.subarray(parameter.start, parameter.end));
        if (parameter.tag === ANY_TAGS.value) [valueStart, valueEnd] = [parameter.start, parameter.end];
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
