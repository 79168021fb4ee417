import { PassingError } from '#lib/command-error.ts';

/**
 * The storage refused a request or could not be reached. The message says what to do next. It has
 * no cause: those of the client contain signed requests.
 */
export class BucketError extends PassingError {
  /** The code of S3 or of the operating system, such as `NoSuchBucket`. */
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'BucketError';
    this.code = code;
  }
}

interface ClientFailure {
  name?: string;
  code?: string;
  message?: string;
  errors?: { code?: string }[];
  $metadata?: { httpStatusCode?: number };
}

const permissions =
  'the key needs s3:ListBucket and s3:ListBucketMultipartUploads on the bucket, and ' +
  's3:GetObject, s3:PutObject, s3:DeleteObject, s3:ListMultipartUploadParts and ' +
  's3:AbortMultipartUpload on its objects';
const full = 'is full: make space there, raise its quota, or lower BACKUP_S3_KEEP';
const otherRegion = 'is in another region: correct BACKUP_S3_REGION';
const busy = 'is busy: try again later; what was uploaded is kept';
const untrusted =
  'has a certificate that Node does not trust: let NODE_EXTRA_CA_CERTS name the file of its ' +
  'authority';
const unreachable = 'cannot be reached: check BACKUP_S3_ENDPOINT and the network';

/** The end of a sentence that begins with the storage. */
const problems: Record<string, string> = {
  InvalidAccessKeyId: 'does not know the access key: correct BACKUP_S3_ACCESS_KEY_ID',
  SignatureDoesNotMatch:
    'rejects the signature: correct BACKUP_S3_SECRET_ACCESS_KEY, and check BACKUP_S3_REGION',
  AccessDenied: `denies access: ${permissions}`,
  NoSuchBucket: 'has no such bucket: create it, or correct BACKUP_S3_URL',
  NoSuchKey: 'has no such object: check its name',
  NoSuchUpload: 'does not know this upload any more: try again',
  RequestTimeTooSkewed:
    'has another time than this machine: set the clock of this machine, for example with NTP',
  AuthorizationHeaderMalformed: otherRegion,
  PermanentRedirect: otherRegion,
  SlowDown: busy,
  ServiceUnavailable: busy,
  QuotaExceeded: full,
  EntityTooLarge: full,
  InsufficientStorage: full,
  XMinioStorageFull: full,
  PreconditionFailed: 'has another object by now: it was replaced while it was read; try again',
  TimeoutError: unreachable,
  ECONNREFUSED: unreachable,
  ECONNRESET: 'closed the connection: try again later; what was uploaded is kept',
  EPROTO: 'does not speak TLS at this address: check BACKUP_S3_ENDPOINT',
  ENOTFOUND: 'has a name that cannot be resolved: check BACKUP_S3_ENDPOINT and BACKUP_S3_URL',
  CERT_HAS_EXPIRED: 'has a certificate that has expired',
};

const byStatus: Record<number, string> = {
  301: 'PermanentRedirect',
  403: 'AccessDenied',
  404: 'NoSuchKey',
  412: 'PreconditionFailed',
  503: 'SlowDown',
  507: 'InsufficientStorage',
};

/** Says in one sentence what went wrong with `storage`, such as `s3://bucket at https://host`. */
export function explainFailure(storage: string, error: unknown): BucketError {
  const failure = error as ClientFailure;
  const code = findCode(failure);
  const problem = problems[code] ?? describeOther(code, failure);
  return new BucketError(code, `The storage of ${storage} ${problem}.`);
}

function findCode({ name, code, errors, $metadata }: ClientFailure): string {
  const known = [name, code, errors?.[0]?.code].find((item) => item && problems[item]);
  const status = byStatus[$metadata?.httpStatusCode ?? 0];
  return known ?? status ?? code ?? errors?.[0]?.code ?? name ?? 'Unknown';
}

function describeOther(code: string, { $metadata }: ClientFailure): string {
  if (/CERT|SELF_SIGNED|ISSUER|SIGNATURE/.test(code)) return `${untrusted} (${code})`;
  if (/^E[A-Z_]+$/.test(code)) return `${unreachable} (${code})`;
  const status = $metadata?.httpStatusCode;
  const name = /^\w{1,60}$/.test(code) ? code : 'an unknown error';
  if (status === undefined) return `failed with ${name}: check BACKUP_S3_ENDPOINT`;
  return `responded ${status} with ${name}: ${status >= 500 ? 'try again later' : 'see its log'}`;
}
