import type { ErrorDefinition } from './definition.ts'

/** Errors of MCP servers (13xx). */
export const MCP_ERRORS = {
  Mcp_ServerNotFound: {
    code: 1301,
    status: 404,
    fix: 'List the MCP servers of the project and use an id from there.',
  },
  Mcp_InstanceNotFound: {
    code: 1302,
    status: 404,
    fix: 'List the instances of the server and use an instance_id from there.',
  },
  Mcp_InstanceExists: {
    code: 1303,
    status: 409,
    fix: 'Nothing has to be done. The user has an instance of this server.',
  },
  Mcp_NotConnected: {
    code: 1304,
    status: 403,
    fix: 'Connect an account of the user for every auth config of the server first.',
  },
  Mcp_IdentityRequired: {
    code: 1305,
    status: 400,
    fix: 'Add user_id or connected_account_id to the query of the URL.',
  },
  Mcp_TransportGone: {
    code: 1306,
    status: 410,
    fix: 'Use the transport streamable HTTP with the URL that ends in /mcp.',
  },
  Mcp_AddressRefused: {
    code: 1307,
    status: 403,
    fix: 'Use the URL in PUBLIC_URL. Pages of other sites cannot call MCP servers.',
  },
  Mcp_SignInNotFound: {
    code: 1308,
    status: 404,
    fix: 'Start the sign-in again in the MCP client. It is valid for fifteen minutes.',
  },
  Mcp_OtherUser: {
    code: 1309,
    status: 403,
    fix: 'Use the URL without user_id and connected accounts, or with those of the user who signed in.',
  },
  Mcp_GrantNotFound: {
    code: 1310,
    status: 404,
    fix: 'List the client grants of the project and use an id from there.',
  },
  Mcp_TokenInvalid: {
    code: 1311,
    status: 401,
    fix: 'Refresh the token in the MCP client, or sign in again.',
  },
  Mcp_ProofInvalid: {
    code: 1312,
    status: 401,
    fix: 'Sign a DPoP proof for this request with the key of the token, as RFC 9449 describes.',
  },
  Mcp_ProofNonceRequired: {
    code: 1313,
    status: 401,
    fix: 'Repeat the request with a DPoP proof that has the nonce of the header DPoP-Nonce.',
  },
  Mcp_ProviderUnusable: {
    code: 1314,
    status: 400,
    fix:
      'Check the issuer: it must be the text of `issuer` in the metadata of the provider. For a provider in a ' +
      'private network, allow its host with EGRESS_ALLOW.',
  },
} as const satisfies Record<string, ErrorDefinition>
