import { JavaDecimal } from '../../java-compat/decimal.js';
import { JavaError, nullPointer } from '../../java-compat/java-error.js';
import { parseInt32 } from '../../java-compat/number.js';
import { JSON_EXCEPTION, type JsonLibrary } from './json-library.js';
import { JsonObject, type JsonValue, printJson } from './json-value.js';
import { parseJson, parseJsonObject } from './parse-json.js';

/**
 * Reads members of a request with the casts of java-tron's JSON library. Reference: TypeUtils of fastjson and of
 * org.tron.json.
 */

/**
 * Returns a member as text; null if the member is absent or null.
 * @throws {JavaError} NullPointerException: `object` is null
 */
export function textOf(object: JsonObject | null, name: string): string | null {
  return object === null ? missing() : textOfValue(object.member(name), object.library);
}

function textOfValue(value: JsonValue, library: JsonLibrary): string | null {
  if (value === null || typeof value === 'string') return value;
  return typeof value === 'boolean' ? String(value) : printJson(value, library);
}

/**
 * Returns a member as a boolean.
 * @throws {JavaError} NullPointerException: the member is absent, null, empty or the text `null`; JSONException: the
 * member has another value that is not a boolean
 */
export function booleanOf(object: JsonObject, name: string): boolean {
  const value = object.member(name);
  if (typeof value === 'boolean') return value;
  if (typeof value === 'bigint') return BigInt.asIntN(32, value) === 1n;
  if (value instanceof JavaDecimal) return intOfDecimal(value, object.library) === 1;
  if (value === null || value === '' || value === 'null' || value === 'NULL') throw nullPointer();
  if (typeof value === 'string') {
    const lower = value.toLowerCase();
    if (lower === 'true' || value === '1' || lower === 'y' || value === 'T') return true;
    if (lower === 'false' || value === '0' || lower === 'f' || value === 'N') return false;
  }
  return failCast(object, `can not cast to boolean, value : ${textOfValue(value, object.library)}`);
}

/**
 * Converts a decimal to an int and drops the fraction. fastjson throws for very large and very small numbers.
 * Reference: TypeUtils.intValue of fastjson.
 * @throws {JavaError} ArithmeticException: fastjson cannot convert the number
 */
function intOfDecimal(value: JavaDecimal, library: JsonLibrary): number {
  return library === 'fastjson' && Math.abs(value.scale) > CUT_SCALE_MAX ? value.toIntExact() : value.toInt();
}

const CUT_SCALE_MAX = 100;

/**
 * Returns a member as a long. The member may be a number or a text with a number. Returns 0 if the member is absent.
 * Reference: Util.getJsonLongValue.
 * @throws {JavaError} the value is not a long, the member is required and absent, or `object` is null
 */
export function longOf(object: JsonObject | null, name: string, isRequired = false): bigint {
  if (object === null) return missing();
  const value = decimalOf(object.member(name), object.library);
  if (value === null && isRequired) {
    throw new JavaError('java.security.InvalidParameterException', `key [${name}] does not exist`);
  }
  return value === null ? 0n : value.toLongExact();
}

function decimalOf(value: JsonValue, library: JsonLibrary): JavaDecimal | null {
  if (value === null || value instanceof JavaDecimal) return value;
  if (typeof value === 'bigint') return new JavaDecimal(value, 0);
  if (library === 'fastjson' && value instanceof JsonObject && value.size === 0) return null;
  const text = textOfValue(value, library) as string;
  if (text === '' || text.toLowerCase() === 'null') return null;
  return JavaDecimal.parse(library === 'jackson' ? text.replaceAll(',', '') : text);
}

/**
 * Returns a member as an int.
 * @throws {JavaError} NullPointerException: the member is absent, null, empty or the text `null`; JSONException or
 * NumberFormatException: the member has another value that is not an int
 */
export function intOf(object: JsonObject, name: string): number {
  const value = object.member(name);
  if (typeof value === 'bigint') return Number(BigInt.asIntN(32, value));
  if (value instanceof JavaDecimal) return intOfDecimal(value, object.library);
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value === null || value === '' || value === 'null' || value === 'NULL') throw nullPointer();
  if (typeof value === 'string') return parseInt32(value.replaceAll(',', '').replace(/\.0*$/, ''));
  return failCast(object, `can not cast to int, value : ${textOfValue(value, object.library)}`);
}

/**
 * Returns a member as an object; null if the member is absent or null. A string is first parsed as JSON.
 * @throws {JavaError} ClassCastException or JSONException: the member is not an object; NullPointerException: `object`
 * is null
 */
export function objectOf(object: JsonObject | null, name: string): JsonObject | null {
  if (object === null) return missing();
  const value = object.member(name);
  if (typeof value === 'string') return parseJsonObject(value, object.library);
  if (value === null || value instanceof JsonObject) return value;
  if (object.library === 'jackson') return failCast(object, `Field '${name}' is not an object`);
  throw classCast(value, 'com.alibaba.fastjson.JSONObject');
}

/**
 * Returns an element of an array as an object; null if the element is absent or null. With Jackson, a string is first
 * parsed as JSON.
 * @throws {JavaError} ClassCastException or JSONException: the element is not an object
 */
export function objectAt(items: readonly JsonValue[], at: number, library: JsonLibrary): JsonObject | null {
  const value = items[at] ?? null;
  if (value === null || value instanceof JsonObject) return value;
  if (library === 'fastjson') throw classCast(value, 'com.alibaba.fastjson.JSONObject');
  if (typeof value === 'string') return parseJsonObject(value, library);
  throw new JavaError(JSON_EXCEPTION[library], `Element at index ${at} is not an object`);
}

/**
 * Returns a member as an array; null if the member is absent or null. A string is first parsed as JSON.
 * @throws {JavaError} ClassCastException or JSONException: the member is not an array; NullPointerException: `object`
 * is null
 */
export function arrayOf(object: JsonObject | null, name: string): JsonValue[] | null {
  if (object === null) return missing();
  const member = object.member(name);
  const value = typeof member === 'string' ? parseJson(member, object.library) : member;
  if (value === null || Array.isArray(value)) return value;
  if (object.library === 'jackson') {
    const isText = typeof member === 'string';
    return failCast(
      object,
      isText ? `Expected JSON array but got: ${nodeType(value)}` : `Field '${name}' is not an array`,
    );
  }
  throw classCast(value, 'com.alibaba.fastjson.JSONArray');
}

function failCast({ library }: JsonObject, text: string): never {
  throw new JavaError(JSON_EXCEPTION[library], text);
}

/** Returns the name of the node type that Jackson prints. Reference: JsonNodeType. */
function nodeType(value: JsonValue): string {
  if (value instanceof JsonObject) return 'OBJECT';
  if (typeof value === 'boolean') return 'BOOLEAN';
  return typeof value === 'string' ? 'STRING' : 'NUMBER';
}

function classCast(value: JsonValue, target: string): JavaError {
  return new JavaError('java.lang.ClassCastException', `${classOf(value)} cannot be cast to ${target}`);
}

function classOf(value: JsonValue): string {
  if (Array.isArray(value)) return 'com.alibaba.fastjson.JSONArray';
  if (value instanceof JsonObject) return 'com.alibaba.fastjson.JSONObject';
  if (value instanceof JavaDecimal) return 'java.math.BigDecimal';
  if (typeof value === 'boolean') return 'java.lang.Boolean';
  if (typeof value === 'string') return 'java.lang.String';
  const number = value as bigint;
  if (BigInt.asIntN(32, number) === number) return 'java.lang.Integer';
  return BigInt.asIntN(64, number) === number ? 'java.lang.Long' : 'java.math.BigInteger';
}

function missing(): never {
  throw nullPointer();
}
