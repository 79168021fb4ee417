import type { UploadedByCommand } from '#boot/backups/upload-by-command.ts';

export function describeUpload({ url, seconds, parts, continuedParts }: UploadedByCommand): string {
  const of = `${parts} ${parts === 1 ? 'part' : 'parts'}`;
  const before = continuedParts > 0 ? `, ${continuedParts} of them uploaded before` : '';
  return `${url}\n${of}${before}; size and SHA-256 are equal, in ${seconds.toFixed(1)} s.`;
}
