import type { CallOutput } from './http.ts';

type Session = CallOutput<'GET /auth/session'>;

/** False for an object of another service: the client accepts any. */
export function isSession(response: Session): boolean {
  const { user, workspace, readOnly }: Partial<Session> = response;
  return (
    typeof user?.email === 'string' &&
    typeof workspace?.id === 'number' &&
    typeof workspace.name === 'string' &&
    typeof readOnly === 'boolean'
  );
}
