/** Returns the URL of a registry without user name, password and final slash. */
export function registryUrl(url: string): string {
  const shown = new URL(url);
  [shown.username, shown.password] = ['', ''];
  return shown.href.replace(/\/$/, '');
}
