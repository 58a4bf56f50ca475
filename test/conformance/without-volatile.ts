/**
 * Removes the fields at the given JSON pointers from a JSON text. If a field does not exist, marks it as missing, so
 * that the texts differ.
 */
export function withoutVolatile(text: string, pointers: readonly string[]): string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return text;
  }
  for (const pointer of pointers) remove(value, pointer.split('/').slice(1));
  return JSON.stringify(value);
}

function remove(value: unknown, [name, ...rest]: readonly string[]): void {
  if (typeof value !== 'object' || value === null || name === undefined) return;
  const holder = value as Record<string, unknown>;
  if (rest.length > 0) remove(holder[name], rest);
  else if (Array.isArray(value)) value[Number(name)] = null;
  else if (name in holder) delete holder[name];
  else holder[`missing ${name}`] = true;
}
