/** The address that names the newest release. */
export interface UpdateSource {
  /** As `1.2.3`. Throws with a reason for people when there is no usable response. */
  readNewest(): Promise<string>;
}
