/** For the log: what kind of failure it was. A mail server's own words may quote the address. */
export function mailFault(error: unknown): string {
  const { code, name } = error as { code?: unknown; name: string };
  return typeof code === 'string' ? code : name;
}
