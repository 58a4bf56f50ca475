import { JavaError } from '../../java-compat/java-error.js';
import { parseJackson } from './jackson/parse-jackson.js';
import { JSON_EXCEPTION, type JsonLibrary } from './json-library.js';
import { JsonScanner } from './json-scanner.js';
import { JsonObject, type JsonValue } from './json-value.js';

/** Maximum nesting depth of arrays, as in java-tron. */
const ARRAY_LEVEL_MAX = 512;
/**
 * Maximum nesting depth of objects. In java-tron, Java's stack limits the depth to about this number. A stack overflow
 * is a Java error that handlers do not report.
 */
const OBJECT_LEVEL_MAX = 2000;

/**
 * Parses JSON as leniently as java-tron's library. Allows unquoted names, single quotes, comments and stray commas.
 * Reference: JSON.parse of fastjson 1.2.83; org.tron.json.JSON.parse.
 * @throws {JavaError} JSONException: the text is not valid
 */
export function parseJson(text: string | null, library: JsonLibrary): JsonValue {
  if (text === null || text === '') return null;
  if (library === 'fastjson') return new Parser(text).parseAll();
  // Java's trim also removes control characters.
  return /^[\0- ]*(null[\0- ]*)?$/.test(text) ? null : (parseJackson(text) ?? MISSING);
}

/** Result of Jackson for a text that contains only comments. It is neither null nor an object. */
const MISSING = '';

/**
 * Parses a text that contains an object, as `parseJson` does. Returns null for an empty text and for `null`.
 * @throws {JavaError} JSONException: the text is not valid, or its value is not an object
 */
export function parseJsonObject(text: string | null, library: JsonLibrary): JsonObject | null {
  const value = parseJson(text, library);
  if (value === null || value instanceof JsonObject) return value;
  throw new JavaError(JSON_EXCEPTION[library], 'can not cast to JSONObject.');
}

class Parser {
  private readonly scan: JsonScanner;
  private level = 0;

  constructor(text: string) {
    this.scan = new JsonScanner(text);
  }

  parseAll(): JsonValue {
    const { scan } = this;
    const { char } = scan;
    if (char === '{' || char === '[') {
      scan.token = char;
      scan.at++;
    } else scan.next();
    const value = this.value();
    if ((scan.token as string) !== 'EOF') scan.fail(`not close json text, token : ${scan.token}`);
    return value;
  }

  /** Reads the value that starts with the last token. */
  private value(): JsonValue {
    const { scan } = this;
    switch (scan.token) {
      case '[':
      case 'Set':
      case 'TreeSet':
        return this.array(null);
      case '{':
        return this.object();
      case 'int':
        return this.behind(scan.wholeNumber());
      case 'float':
        return this.behind(scan.decimalNumber());
      case 'string': {
        const { value } = scan;
        scan.nextMark();
        return value;
      }
      case 'null':
      case 'undefined':
        return this.behind(null);
      case 'true':
        return this.behind(true);
      case 'false':
        return this.behind(false);
      case 'hex':
        return this.behind(scan.value);
      case 'EOF':
        if (/^[ \n\r\t\f\b]*$/.test(scan.text)) return null;
        return scan.fail(`unterminated json string, ${scan.info()}`);
      case 'new':
        return scan.fail('syntax error');
      default:
        if (scan.token === 'ident' && scan.value === 'NaN') return this.behind(null);
        return scan.fail(`syntax error, ${scan.info()}`);
    }
  }

  private behind<T extends JsonValue>(value: T): T {
    this.scan.next();
    return value;
  }

  private object(): JsonObject {
    if (++this.level > OBJECT_LEVEL_MAX) throw new JavaError('java.lang.StackOverflowError');
    try {
      return this.members(new JsonObject());
    } finally {
      this.level--;
    }
  }

  private members(object: JsonObject): JsonObject {
    const { scan } = this;
    for (;;) {
      scan.skipBlank();
      while (scan.char === ',') {
        scan.at++;
        scan.skipBlank();
      }
      if (scan.char === '}') {
        scan.at++;
        scan.next();
        return object;
      }
      const name = this.name();
      if (this.member(object, name)) return object;
    }
  }

  private name(): string {
    const { scan } = this;
    const { char } = scan;
    let name: string;
    if (char === '"' || char === "'") {
      name = scan.readText(char, true);
      scan.skipBlank();
      if (scan.char !== ':') scan.fail(`expect ':' at ${scan.tokenAt}${char === '"' ? `, name ${name}` : ''}`);
    } else if (char === '\x1a') return scan.fail('syntax error');
    else if ((char >= '0' && char <= '9') || char === '-') {
      scan.readNumber();
      name = scan.token === 'int' ? scan.wholeNumber().toString() : scan.decimalNumber().toString();
      if (scan.char !== ':') scan.fail(`parse number key error${scan.info()}`);
    } else if (char === '{' || char === '[') {
      scan.next();
      name = String(this.value());
      return name;
    } else {
      name = scan.readName();
      scan.skipBlank();
      if (scan.char !== ':') scan.fail(`expect ':' at ${scan.tokenAt}, actual ${scan.char}`);
    }
    scan.at++;
    scan.skipBlank();
    return name;
  }

  /**
   * Reads the value of a member, and the comma or brace after the value.
   * @returns true if the object ends after this member
   */
  private member(object: JsonObject, name: string): boolean {
    const { scan } = this;
    if (name === '@type') return this.typeName(object);
    if (name === '$ref' && this.level > 1 && object.size === 0) return this.reference(object);
    const { char } = scan;
    if (char === '[') {
      scan.next();
      object.set(name, this.array(name));
      return this.ends(() => 'syntax error');
    }
    if (char === '{') {
      scan.next();
      object.set(name, this.object());
      return this.ends(() => `syntax error, ${scan.token}`);
    }
    const positionText = (): string => `syntax error, position at ${scan.tokenAt}, name ${name}`;
    if (char !== '"' && char !== '-' && !(char >= '0' && char <= '9')) {
      scan.next();
      object.set(name, this.value());
      return this.ends(positionText);
    }
    if (char === '"') object.set(name, scan.readText('"', false));
    else {
      scan.readNumber();
      object.set(name, scan.token === 'int' ? scan.wholeNumber() : scan.decimalNumber());
    }
    scan.skipBlank();
    const end = scan.char;
    if (end !== ',' && end !== '}') scan.fail(positionText());
    scan.at++;
    if (end === '}') scan.next();
    return end === '}';
  }

  /**
   * Reads the value of the member `@type`. fastjson expects a Java class name there. java-tron rejects every class
   * name, but it accepts a text that consists of digits. Reference: ParserConfig.setSafeMode in DefaultConfig.
   */
  private typeName(object: JsonObject): boolean {
    const { scan } = this;
    const name = scan.readText('"', true);
    if (!/^[0-9]*$/.test(name)) scan.fail(`safeMode not support autoType : ${name}`);
    object.set('@type', name);
    return false;
  }

  /**
   * Reads `$ref` as the first member of a nested object. In fastjson, such a member refers to another value. No API
   * needs such references.
   * @returns true if the object ends after `$ref`
   */
  private reference(object: JsonObject): boolean {
    const { scan } = this;
    scan.next();
    if (scan.token !== 'string') scan.fail(`illegal ref, ${scan.token}`);
    const { value } = scan;
    scan.next();
    if ((scan.token as string) === ',') {
      object.set('$ref', value);
      return false;
    }
    if (value === '')
      throw new JavaError('com.alibaba.fastjson.JSONPathException', 'json-path can not be null or empty');
    if ((scan.token as string) !== '}') scan.fail(`syntax error, ${scan.info()}`);
    scan.nextMark();
    return true;
  }

  private ends(complaint: () => string): boolean {
    const { scan } = this;
    if (scan.token === ',') return false;
    if (scan.token !== '}') scan.fail(complaint());
    scan.next();
    return true;
  }

  private array(name: string | null): JsonValue[] {
    const { scan } = this;
    if (scan.token === 'Set' || scan.token === 'TreeSet') scan.next();
    if (scan.token !== '[') {
      scan.fail(`syntax error, expect [, actual ${scan.token}, pos ${scan.tokenAt}, fieldName ${name}`);
    }
    scan.nextValue();
    if (++this.level > ARRAY_LEVEL_MAX + 1) scan.fail('array level > 512');
    const items: JsonValue[] = [];
    for (;;) {
      while ((scan.token as string) === ',') scan.next();
      if ((scan.token as string) === ']') break;
      if ((scan.token as string) === 'EOF') scan.fail('unclosed jsonArray');
      items.push(this.item());
      if ((scan.token as string) === ',') scan.nextValue();
    }
    scan.nextMark();
    this.level--;
    return items;
  }

  private item(): JsonValue {
    const { scan } = this;
    const mark = <T extends JsonValue>(value: T): T => {
      scan.nextMark();
      return value;
    };
    switch (scan.token) {
      case 'int':
        return mark(scan.wholeNumber());
      case 'float':
        return mark(scan.decimalNumber());
      case 'string':
        return mark(scan.value);
      case 'true':
        return mark(true);
      case 'false':
        return mark(false);
      case '[':
        return this.array(null);
      default:
        return this.value();
    }
  }
}
