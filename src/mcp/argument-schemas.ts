import { z } from 'zod';
import { storeNames } from '#stores/profiles.ts';
import { countryPattern, dayPattern } from './slim-schema.ts';

// Arguments that several tools share. Each word appears in every tool listing, so descriptions are
// short; limits that the API checks are not repeated.

const dayText = z.string().regex(dayPattern);

export const appIdArgument = z.int().describe('From list_apps.');
export const keywordIdArgument = z.int().describe('From list_keywords.');
export const keywordIdsArgument = (most: number) =>
  z.array(z.int()).min(1).max(most).describe('From list_keywords.');
export const competitorIdArgument = z.int().describe('From compare_competitors.');

export const countryArgument = z.string().regex(countryPattern).describe('Such as us.');
/** The country of a filter. */
export const anyCountryArgument = countryArgument.optional().describe('As us; default: all.');
export const primaryCountryArgument = countryArgument.optional().describe('Default: primary.');
/** The device of a filter. The server's instructions name the devices. */
export const anyDeviceArgument = z.string().optional().describe('Of iOS keywords.');
export const firstDeviceArgument = z.string().optional().describe('iOS; default: iphone.');
export const storeArgument = z.enum(storeNames).describe('The app store.');

export const dayArgument = dayText.describe('A UTC day.');
export const fromArgument = dayText.optional().describe('First day.');
export const toArgument = dayText.optional().describe('Last day.');

export const scopeArgument = z.enum(['own', 'competitors']).optional().describe('Default: both.');

export const cursorArgument = z.string().optional().describe('A nextCursor.');
export const limitArgument = z.int().max(50).describe('Page size.');
/** The page size for rows with long texts. */
export const shortLimitArgument = z.int().max(25).describe('Page size.');
