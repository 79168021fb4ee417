import { listingZipBytes } from '#contract/body-limits.ts';
import { copyTexts, zipTexts, type TextsZip } from '#listing-files/zip/copy-texts.ts';
import { ZipError } from '#listing-files/zip/zip-error.ts';

/** A zip, or the files of a folder. */
export type Picked = File | readonly File[];

/** The part of a chosen zip or folder that is sent. */
export interface TakenTexts extends TextsZip {
  name: string;
  /** Differs between any two. */
  id: number;
}

let lastId = 0;

/**
 * Takes the texts of listings out of a zip or a folder, in the browser, so that pictures are
 * neither read nor sent. Throws ZipError.
 */
export async function takeTexts(picked: Picked): Promise<TakenTexts> {
  const taken = await take(picked).catch((error: unknown) => {
    // The file was moved or changed, or a folder was dropped.
    throw error instanceof ZipError ? error : new ZipError('damaged', null, 'Choose it again.');
  });
  if (taken.zip.size > listingZipBytes)
    throw new ZipError('too_large', null, 'The texts alone are too large.');
  lastId += 1;
  const name = picked instanceof File ? picked.name : topOf(picked);
  return { ...taken, name, id: lastId };
}

const take = (picked: Picked): Promise<TextsZip> =>
  picked instanceof File
    ? copyTexts(picked)
    : zipTexts(picked.map((file) => ({ path: file.webkitRelativePath || file.name, file })));

const topOf = ([first]: readonly File[]): string =>
  first?.webkitRelativePath.split('/')[0] || first?.name || '';
