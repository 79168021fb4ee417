import sax, { type Tag } from 'sax';
import { damaged } from './workbook-archive.ts';

export interface XmlHandlers {
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  close(name: string): void;
  /** Long texts come in pieces. */
  text(text: string): void;
}

/**
 * Parses a part of a workbook chunk by chunk and calls the handlers with local names. Nothing is
 * fetched and no entity is expanded; a document type is refused. Throws SheetError.
 */
export class XmlReader {
  readonly #parser;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  readonly #name: string;

  constructor(name: string, handlers: XmlHandlers) {
    this.#name = name;
    // Texts of more than 64 KB come in pieces, and longer names and attributes are an error.
    const parser = sax.parser(true, { position: false, trim: false, normalize: false });
    parser.onopentag = (tag) => handlers.open(localName(tag.name), (tag as Tag).attributes);
    parser.onclosetag = (tag) => handlers.close(localName(tag));
    parser.ontext = (text) => handlers.text(text);
    parser.oncdata = (text) => handlers.text(text);
    parser.ondoctype = () => {
      throw damaged(`the part ${name} declares a document type`);
    };
    parser.onerror = (error) => {
      throw damaged(`the part ${name} is not XML`, error);
    };
    this.#parser = parser;
  }

  write(chunk: Buffer): void {
    this.#parser.write(this.#decode(chunk, true));
  }

  end(): void {
    this.#parser.write(this.#decode(Buffer.alloc(0), false)).close();
  }

  #decode(chunk: Buffer, stream: boolean): string {
    try {
      return this.#decoder.decode(chunk, { stream });
    } catch (error) {
      throw damaged(`the part ${this.#name} is not in UTF-8`, error);
    }
  }
}

function localName(name: string): string {
  const colon = name.indexOf(':');
  return colon === -1 ? name : name.slice(colon + 1);
}
