const LANG = new Set([
  'ArithmeticException',
  'ArrayIndexOutOfBoundsException',
  'ClassCastException',
  'Exception',
  'IllegalArgumentException',
  'IllegalStateException',
  'IndexOutOfBoundsException',
  'NegativeArraySizeException',
  'NullPointerException',
  'NumberFormatException',
  'RuntimeException',
  'StringIndexOutOfBoundsException',
  'UnsupportedOperationException',
]);

const ELSEWHERE: Readonly<Record<string, string>> = {
  SignatureException: 'java.security.SignatureException',
  SignatureFormatException: 'org.tron.common.crypto.SignatureFormatException',
  InvalidProtocolBufferException: 'com.google.protobuf.InvalidProtocolBufferException',
};

/** Returns the full class name of an exception, as Java prints it. */
export function javaClassOf(exception: string): string {
  if (exception.includes('.')) return exception;
  if (LANG.has(exception)) return `java.lang.${exception}`;
  return ELSEWHERE[exception] ?? `org.tron.core.exception.${exception}`;
}
