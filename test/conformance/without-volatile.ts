/** A JSON text without the members that may differ; a member that is missing is seen. */
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
