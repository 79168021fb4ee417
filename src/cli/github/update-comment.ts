import { createHash } from 'node:crypto';
import { z } from 'zod';
import { CommandError } from '#lib/command-error.ts';
import { withoutTrailing } from '#lib/text.ts';

interface Target {
  apiUrl: string;
  /** `owner/name`. */
  repository: string;
  token: string;
  number: number;
}

const comments = z.array(
  z.object({
    id: z.int(),
    body: z.string().nullable(),
    user: z.object({ type: z.string() }).nullable(),
  }),
);
const perPage = 100;
const maxPages = 30;
const timeoutMs = 20_000;

/**
 * Writes the one comment about a folder: a new one where it is needed, else the existing one is
 * updated. People cannot take its position: only comments of bots are considered.
 */
export async function updateComment(
  target: Target,
  folder: string,
  { text, isNeeded }: { text: string; isNeeded: boolean },
): Promise<void> {
  // The name of a folder may end a comment of HTML.
  const id = createHash('sha256').update(folder).digest('hex').slice(0, 16);
  const marker = `<!-- toprung-coverage ${id} -->`;
  const { repository, number } = target;
  const body = `${marker}\n${text}`;
  const existing = await findComment(target, marker);
  if (existing === null && !isNeeded) return;
  await (existing === null
    ? send(target, 'POST', `/repos/${repository}/issues/${number}/comments`, { body })
    : send(target, 'PATCH', `/repos/${repository}/issues/comments/${existing}`, { body }));
}

async function findComment(target: Target, marker: string): Promise<number | null> {
  const { repository, number } = target;
  for (let page = 1; page <= maxPages; page += 1) {
    const path = `/repos/${repository}/issues/${number}/comments?per_page=${perPage}&page=${page}`;
    const found = comments.parse(await send(target, 'GET', path));
    const own = found.find(
      ({ body, user }) => user?.type === 'Bot' && body?.startsWith(marker) === true,
    );
    if (own) return own.id;
    if (found.length < perPage) return null;
  }
  return null;
}

async function send(
  { apiUrl, token }: Target,
  method: string,
  path: string,
  body?: object,
): Promise<unknown> {
  const response = await fetch(`${withoutTrailing(apiUrl, '/')}${path}`, {
    method,
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
    headers: {
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'user-agent': 'toprung',
      'x-github-api-version': '2022-11-28',
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) {
    await response.body?.cancel();
    const remedy =
      response.status === 403 || response.status === 404
        ? 'Give the job the permission pull-requests: write, which pull requests from forks lack.'
        : 'Run the job again.';
    throw new CommandError(`GitHub responded ${response.status}. ${remedy}`);
  }
  return response.json();
}
