import type { Message } from './message.ts';

const escape = (text: string): string => text.replace(/[\\*_~`|>[\]()#-]/g, String.raw`\$&`);

/** One embed (title 256, description 4,096 characters); nobody is mentioned, whatever a store's text says. */
export function toDiscord(message: Message): object {
  const room = 3_900;
  const lines: string[] = [];
  let length = 0;
  let more = message.more;
  for (const { text, link } of message.lines) {
    const line = link ? `[${escape(text)}](${link})` : escape(text);
    if (length + line.length > room) more += 1;
    else lines.push(line);
    length += line.length + 1;
  }
  if (more > 0) lines.push(`and ${more} more`);
  return {
    embeds: [{ title: [...message.title].slice(0, 250).join(''), description: lines.join('\n') }],
    allowed_mentions: { parse: [] },
  };
}
