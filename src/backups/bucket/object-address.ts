import { CommandError } from '#lib/command-error.ts';

/** An object of S3-compatible storage, or with an empty key the whole bucket. */
export interface ObjectAddress {
  bucket: string;
  key: string;
}

const pattern = /^s3:\/\/([\w][\w.-]{1,61}\w)(?:\/([^?#\s]{0,900}?))?\/?$/;

export const isObjectAddress = (text: string): boolean => text.startsWith('s3://');

/** Reads `s3://bucket/folder/name`. Throws CommandError. */
export function parseObjectAddress(text: string): ObjectAddress {
  const match = pattern.exec(text);
  if (!match)
    throw new CommandError(`${text} is no address of an object, such as s3://bucket/folder/name.`);
  return { bucket: match[1]!, key: match[2] ?? '' };
}

export const formatObjectAddress = ({ bucket, key }: ObjectAddress): string =>
  key === '' ? `s3://${bucket}` : `s3://${bucket}/${key}`;

/** The address of a file's object in a folder of a bucket. */
export const objectIn = (folder: ObjectAddress, name: string): ObjectAddress => ({
  bucket: folder.bucket,
  key: folder.key === '' ? name : `${folder.key}/${name}`,
});
