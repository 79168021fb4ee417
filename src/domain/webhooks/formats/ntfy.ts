import type { Message } from './message.ts';

/** Published as JSON at the server's root; a message has at most 4,096 bytes. */
export function toNtfy(message: Message, topic: string): object {
  const room = 3_600;
  const lines: string[] = [];
  let length = 0;
  let more = message.more;
  for (const { text } of message.lines) {
    const bytes = Buffer.byteLength(text) + 1;
    if (length + bytes > room) more += 1;
    else lines.push(text);
    length += bytes;
  }
  if (more > 0) lines.push(`and ${more} more`);
  const link = message.lines[0]?.link;
  return { topic, title: message.title, message: lines.join('\n'), tags: ['chart_with_upwards_trend'], ...(link && { click: link }) };
}
