import type { Message } from './message.ts';

const escape = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

/** Block Kit: a header and sections of up to ten lines (3,000 characters a section). */
export function toSlack(message: Message): object {
  const lines = message.lines.map(({ text, link }) => (link ? `<${link}|${escape(text)}>` : escape(text)));
  if (message.more > 0) lines.push(`and ${message.more} more`);
  const sections = Array.from({ length: Math.ceil(lines.length / 5) }, (_, index) => lines.slice(index * 5, index * 5 + 5).join('\n'));
  return {
    text: escape(message.title),
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: [...message.title].slice(0, 150).join('') } },
      ...sections.map((text) => ({ type: 'section', text: { type: 'mrkdwn', text } })),
    ],
  };
}
