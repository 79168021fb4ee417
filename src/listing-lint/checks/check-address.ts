import { fieldNames, type TextCheck } from '../finding.ts';

const addresses = new Set([
  'supportUrl',
  'marketingUrl',
  'privacyUrl',
  'privacyChoicesUrl',
  'video',
]);

export const checkAddress: TextCheck = ({ field, text: { value } }) => {
  const written = value.trim();
  if (!addresses.has(field) || written === '') return [];
  const url = /\s/.test(written) ? null : URL.parse(written);
  if (url && /^https?:$/.test(url.protocol) && url.hostname.includes('.')) return [];
  return [
    {
      rule: 'invalid-address',
      message: `${fieldNames[field]} is not an address. Write it with https://.`,
    },
  ];
};
