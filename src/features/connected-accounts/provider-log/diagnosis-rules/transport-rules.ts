import type { DiagnosisRule } from './rule.ts'

/** Rules for requests without a response, and for steps after the token request. */
export const TRANSPORT_RULES: readonly DiagnosisRule[] = [
  {
    when: { failure: ['refused_address'] },
    cause: '{host} is not a public IP address, and this server only sends requests to public ones.',
    field: null,
    fix: 'If it is your own network, allow it with EGRESS_ALLOW; otherwise correct the URL.',
  },
  {
    when: { failure: ['refused_url'] },
    cause: 'Requests to the URL of the provider are not allowed.',
    field: 'token.url',
    fix: 'Set a plain http or https URL, without a user name or password in it.',
  },
  {
    when: { failure: ['dns'] },
    cause: 'The name {host} does not exist.',
    field: 'token.url',
    fix: 'Check the URL, and the fields and variants that it is built from (a subdomain, a region).',
  },
  {
    when: { failure: ['timeout'] },
    cause: '{host} did not respond within 15 seconds.',
    field: null,
    fix: 'Check the status page of the provider and try again. A proxy of the auth config may also be slow.',
  },
  {
    when: { failure: ['connect', 'reset'] },
    cause: 'The connection to {host} failed or was closed.',
    field: null,
    fix: 'Check that the provider is available and that this machine can connect to it; otherwise correct token.url.',
  },
  {
    when: { failure: ['tls'] },
    cause: 'The TLS certificate of {host} is not valid.',
    field: null,
    fix: 'The provider has to replace it. A private certificate authority must be configured on this server.',
  },
  {
    when: { failure: ['too_large'] },
    cause: 'The response is larger than any token response.',
    field: 'token.url',
    fix: 'The URL probably serves something else: set the token endpoint.',
  },
  {
    when: { failure: ['protocol'] },
    cause: '{host} does not respond with valid HTTP.',
    field: 'token.url',
    fix: 'Check the scheme (http, https) and the port of the URL.',
  },
  {
    when: { failure: ['not_sent'], message: /access_denied|consent_required|denied/i },
    cause: 'The user, or a rule of the organization at the provider, did not allow the access.',
    field: null,
    fix: 'Ask the user to try again and to agree. If an administrator has to approve the app, ask for that.',
  },
  {
    when: { failure: ['not_sent'], message: /redirect_?uri|redirect address|callback/i },
    cause: 'The redirect URI is not registered at the provider.',
    field: 'redirect_rules',
    fix:
      'Register the callback URL of this server at the provider, exactly as it is, or set ' +
      'oauth_redirect_uri in the auth config to the registered one.',
  },
  {
    when: { failure: ['not_sent'], message: /scope/i },
    cause: 'The provider rejected the requested scopes.',
    field: 'scopes.available',
    fix: 'Request only scopes that the app has at the provider; check authorize.scope_separator.',
  },
  {
    when: { failure: ['not_sent'], message: /unsupported_response_type|response_type/i },
    cause: 'The provider requires another response type.',
    field: 'authorize.response_type',
    fix: 'Set the response type of its documentation, or leave the parameter out with authorize.omit.',
  },
  {
    when: { failure: ['not_sent'], message: /without \w+/i, kinds: ['code'] },
    cause: 'The provider sent the browser back with the code in another parameter, or without a code.',
    field: 'callback.code_param',
    fix: 'Set the parameter that has the code.',
  },
  {
    when: { failure: ['not_sent'], message: /cannot be built/i },
    cause: 'The request needs a value that the connection does not have.',
    field: 'fields',
    fix: "Add a field for the value, capture it (callback.capture, token.capture), or set a default: {name||'text'}.",
  },
  {
    when: { kinds: ['sign_in'], status: [400, 403] },
    cause: 'The application rejected the user name or the password.',
    field: 'sign_in.params',
    fix: 'Connect again with the right ones. If they are right, check the names of the parameters.',
  },
  {
    when: { kinds: ['sign_in'], status: [200, 299] },
    cause: 'The response of the application has no token at the configured path.',
    field: 'sign_in.token',
    fix: 'Set the path of the token in the response, or sign_in.token_from_cookie or token_from_header.',
  },
  {
    when: { kinds: ['follow_up'] },
    cause: 'The response of {address} to a further request is not what the manifest expects.',
    field: 'token.steps',
    fix:
      'Compare the step, token.introspect or the derived token with the documentation. The response ' +
      'must have the fields of map and capture.',
  },
  {
    when: { kinds: ['post_connect'], status: [200, 299] },
    cause: 'The response of the application lists no resource for this connection.',
    field: 'post_connect',
    fix: 'Compare items, value and save with the response. The user may have no access to any resource.',
  },
  {
    when: { kinds: ['post_connect'] },
    cause: 'The post-connect request to the application failed.',
    field: 'post_connect',
    fix: 'Check the path and headers of the request, and the scopes that it needs.',
  },
]
