import { fitLines, type Message } from './message.ts';

const escape = (text: string): string => text.replace(/[\\*_~`|>[\]()#-]/g, String.raw`\$&`);

/** One embed (title 256, description 4,096 characters); mentions in store text are disabled. */
export function toDiscord({ title, lines, more }: Message): object {
  const written = lines.map(({ text, link }) =>
    link ? `[${escape(text)}](${link})` : escape(text),
  );
  return {
    embeds: [
      {
        title: [...title].slice(0, 250).join(''),
        description: fitLines(written, more, 4_000).join('\n'),
      },
    ],
    allowed_mentions: { parse: [] },
  };
}
