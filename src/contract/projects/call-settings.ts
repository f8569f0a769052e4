/** Settings of a project that apply to each call, as opposed to those that are only shown. */
export interface ProjectSettings {
  checkOwner: boolean
  maskSecrets: boolean
  storePayloads: boolean
  /** How long URLs of files are valid, in seconds. */
  fileUrlSeconds: number
}
