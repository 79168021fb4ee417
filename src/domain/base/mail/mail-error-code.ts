/** The kind of failure, for the log. A mail server's message may quote the address. */
export function mailErrorCode(error: unknown): string {
  const { code, name } = error as { code?: unknown; name: string };
  return typeof code === 'string' ? code : name;
}
