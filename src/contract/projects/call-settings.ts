/** Settings of a project that apply to each call, as opposed to those that are only shown. */
export interface ProjectSettings {
  checkOwner: boolean
  maskSecrets: boolean
  storePayloads: boolean
  /** Whether searches in sessions rank tools higher that the project called recently. */
  ranksByUse: boolean
  /** How long URLs of files are valid, in seconds. */
  fileUrlSeconds: number
}
