import { type Static, Type } from '../../../contract/schema-type.ts'
import { Jwt } from './mint.ts'
import { optional, Strict, TemplateText } from './shapes.ts'

/** Client authentication at an endpoint of the authorization server. */
export const ClientAuth = Type.Union(
  [
    Type.Literal('post'),
    Type.Literal('basic'),
    Type.Literal('none'),
    Strict({
      basic: Strict(
        {
          username: Type.String({ description: 'User name template, e.g. `{client_secret}`.' }),
          password: Type.String({ description: 'Template of the password. May be empty.' }),
        },
        { description: 'HTTP Basic with values other than the client id and secret.' },
      ),
    }),
    Strict(
      {
        jwt: Strict(
          {
            ...Type.Omit(Jwt, ['lifetime_seconds']).properties,
            lifetime_seconds: optional(
              Type.Integer({
                minimum: 1,
                maximum: 3_600,
                description: 'Claim `exp`, in seconds from now. Default 300.',
              }),
            ),
            x5t_s256_of: optional(
              TemplateText('Certificate (PEM) whose SHA-256 thumbprint is the header parameter `x5t#S256`.'),
            ),
          },
          {
            description:
              'Signed assertion (RFC 7523). By default issuer and subject are the client id and the ' +
              'audience is the token endpoint.',
          },
        ),
      },
      { description: 'RFC 7523 §2.2.' },
    ),
  ],
  { description: 'Client authentication at the token endpoint (RFC 6749 §2.3). Default post.' },
)

export type ClientAuthManifest = Static<typeof ClientAuth>
