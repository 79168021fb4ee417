import { isOwned } from '../formats.ts';
import { isReadPath } from '../read-listings.ts';

/**
 * True for a file that a tool may read as a text of a listing, by its path in a zip or a folder
 * alone. Pictures, passwords in `review_information` and other files of a repository are none.
 */
export const mayBeText = (path: string): boolean => isReadPath(path) && isOwned(path);
