import type { ParameterFormat } from '../../contract/projects/call-settings.ts'
import type { ApiVersion } from '../../contract/route.ts'

/** What decides the form of parameters in a response. */
export interface ParameterFormatCaller {
  apiVersion: ApiVersion
  settings: { v3ParameterFormat?: ParameterFormat | undefined }
}

/**
 * The form of v3 in projects that do not choose one. Clients that need the brand in names read the parameters of v3 as
 * JSON Schema: `@composio/core` 0.8.1 and older reject every tool with a map.
 * @param wireBrand the setting WIRE_BRAND
 */
export const defaultV3Format = (wireBrand: string): ParameterFormat =>
  wireBrand === 'service' ? 'map' : 'json_schema'

/** Returns the form of parameters for a caller. v3.1 always has JSON Schema. */
export const parameterFormatFor = (
  { apiVersion, settings }: ParameterFormatCaller,
  v3Default: ParameterFormat,
): ParameterFormat => (apiVersion === 'v3' ? (settings.v3ParameterFormat ?? v3Default) : 'json_schema')
