import { fitLines, type Message } from './message.ts';

const escape = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

/** Block Kit: a header of 150 characters, and sections of at most 3,000. */
export function toSlack({ title, lines, more }: Message): object {
  const written = lines.map(({ text, link }) =>
    link ? `<${link}|${escape(text)}>` : escape(text),
  );
  const fitting = fitLines(written, more, 24_000);
  const sections: string[] = [];
  for (const line of fitting) {
    const last = sections.at(-1);
    if (last !== undefined && last.length + line.length < 2_900)
      sections[sections.length - 1] = `${last}\n${line}`;
    else sections.push(line);
  }
  return {
    text: escape(title),
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: [...title].slice(0, 150).join('') } },
      ...sections.map((text) => ({ type: 'section', text: { type: 'mrkdwn', text } })),
    ],
  };
}
