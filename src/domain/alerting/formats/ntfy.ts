import { fitLines, type Message } from './message.ts';

/** Published as JSON at the server's root; a message has at most 4,096 bytes. */
export function toNtfy({ title, lines, more, link }: Message, topic: string): object {
  const written = lines.map(({ text }) => text);
  const message = fitLines(written, more, 3_900, Buffer.byteLength).join('\n');
  return {
    topic,
    title,
    message,
    tags: ['chart_with_upwards_trend'],
    ...(link && { click: link }),
  };
}
