/** Forms of the parameters of tools and trigger types under /api/v3. */
export const V3_PARAMETER_FORMATS = ['map', 'json_schema'] as const
export type ParameterFormat = (typeof V3_PARAMETER_FORMATS)[number]

/** Settings of a project that apply to each call, as opposed to those that are only shown. */
export interface ProjectSettings {
  checkOwner: boolean
  maskSecrets: boolean
  storePayloads: boolean
  /** Whether searches in sessions rank tools higher that the project called recently. */
  ranksByUse: boolean
  /** How long URLs of files are valid, in seconds. */
  fileUrlSeconds: number
  /** Form of parameters under /api/v3. Undefined: the default of the server. */
  v3ParameterFormat?: ParameterFormat | undefined
}
