export interface UploadedBackup {
  /** Such as `s3://bucket/folder/name`. */
  url: string;
  bytes: number;
  /** The hash of the whole file, as 64 hexadecimal digits. */
  sha256: string;
  seconds: number;
}

/** Copies backups of this process into S3-compatible storage. */
export interface BackupUploader {
  /** The bucket and the folder, such as `s3://bucket/folder`. */
  address: string;
  /** The number of backups that are kept there. */
  keep: number;
  /** True when this process can read the file. */
  hasFile(file: { path: string; bytes: bigint }): Promise<boolean>;
  /** Continues what a killed process began, and compares size and hash at the end. */
  upload(path: string, signal: AbortSignal): Promise<UploadedBackup>;
  /** Deletes an object that it wrote, and no other one. False when it is not there. */
  remove(object: { url: string; sha256: string }): Promise<boolean>;
}
