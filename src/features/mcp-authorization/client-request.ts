/** What a client sent to an endpoint of the authorization server. */
export interface ClientRequest {
  /** Path of the endpoint below PUBLIC_URL. */
  path: string
  form: Readonly<Record<string, string>>
  authorization: string | undefined
  ip: string
}
