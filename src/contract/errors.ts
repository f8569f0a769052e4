/**
 * Every failure a caller can meet: numeric code, HTTP status, and what to do next. Hundreds of the code name the domain.
 * A retired slug or code is never used for anything else.
 */
export const ERRORS = {
  HTTP_BadRequest: {
    code: 10400,
    status: 400,
    fix: 'Correct the fields listed in errors and send the request again.',
  },
  HTTP_Unauthorized: {
    code: 10401,
    status: 401,
    fix: 'Send exactly one credential header, x-api-key or x-org-api-key, as the operation requires.',
  },
  HTTP_Forbidden: { code: 10403, status: 403, fix: 'Use a resource of your own project.' },
  HTTP_NotFound: {
    code: 10404,
    status: 404,
    fix: 'Check the path and the method against the API reference at /reference.',
  },
  HTTP_MethodNotAllowed: {
    code: 10405,
    status: 405,
    fix: 'Use a method that the API reference lists for this path.',
  },
  HTTP_RequestTimeout: { code: 10408, status: 408, fix: 'Send the whole request without pauses.' },
  HTTP_PayloadTooLarge: { code: 10413, status: 413, fix: 'Send a smaller body, at most 6 MB.' },
  HTTP_UnsupportedMediaType: { code: 10415, status: 415, fix: 'Send the body as application/json.' },
  HTTP_TooManyRequests: { code: 10429, status: 429, fix: 'Wait for the number of seconds in Retry-After.' },
  HTTP_HeadersTooLarge: {
    code: 10431,
    status: 431,
    fix: 'Send a shorter address and fewer or shorter headers, at most 16 KB together.',
  },
  HTTP_InternalServerError: {
    code: 10500,
    status: 500,
    fix: 'Try again; if it persists, report the request id to the operator of this server.',
  },
  HTTP_NotImplemented: {
    code: 10501,
    status: 501,
    fix: 'This operation is not part of the release; see the changelog for what is.',
  },
  HTTP_ServiceUnavailable: {
    code: 10503,
    status: 503,
    fix: 'Try again in a few seconds; the server recovers by itself.',
  },
  APIKey_InvalidAPIKey: {
    code: 801,
    status: 401,
    fix: 'Use a valid key of the kind that the operation requires; `patchbay keys list` shows them.',
  },
  APIKey_InsufficientPermissions: { code: 812, status: 403, fix: 'Use a key that has this permission.' },
  APIKey_IpNotAllowed: { code: 813, status: 403, fix: 'Call from an allowed address, or use another key.' },
  APIKey_NotFound: { code: 804, status: 404, fix: 'List the keys of the project and use an id from there.' },
  Auth_Config_NotFound: {
    code: 302,
    status: 404,
    fix: 'List the auth configs of the project and use an id from there.',
  },
  Auth_Config_NoAuthApp: {
    code: 303,
    status: 400,
    fix: 'Execute its tools with user_id alone; no auth config is needed.',
  },
  Auth_Config_SchemeNotSupported: {
    code: 304,
    status: 400,
    fix: "Use one of the modes in the toolkit's auth_config_details.",
  },
  Auth_Config_MissingRequiredField: {
    code: 305,
    status: 400,
    fix: "Send every field that the toolkit's auth_config_details lists as required.",
  },
  Auth_Config_DefaultAuthConfigNotFound: {
    code: 306,
    status: 400,
    fix: 'Create the auth config with use_custom_auth and your own credentials, or have the operator configure credentials for this toolkit.',
  },
  Auth_Config_Disabled: { code: 307, status: 400, fix: 'Enable the auth config first.' },
  ConnectedAccount_BadRequest: {
    code: 600,
    status: 400,
    fix: 'Check the connection against the toolkit’s auth_config_details.',
  },
  ConnectedAccount_AliasConflict: {
    code: 601,
    status: 409,
    fix: 'Choose another alias for this user and toolkit.',
  },
  ConnectedAccount_AclOnlyForShared: {
    code: 602,
    status: 400,
    fix: 'Leave out the ACL or make the account SHARED.',
  },
  ConnectedAccount_ResourceNotFound: {
    code: 606,
    status: 404,
    fix: 'List the connected accounts of the project and use an id from there.',
  },
  ConnectedAccount_NotImplemented: {
    code: 607,
    status: 501,
    fix: 'Create a new connection with a scheme that the toolkit offers.',
  },
  ConnectedAccount_RevokeNotSupported: {
    code: 608,
    status: 400,
    fix: 'Revoke the access in the application itself, then delete the account.',
  },
  ConnectedAccount_AuthSessionNotFound: {
    code: 614,
    status: 404,
    fix: 'Let the user connect again; a session is good for ten minutes and for one confirmation.',
  },
  ConnectedAccount_NotRevokable: { code: 609, status: 409, fix: 'Only an ACTIVE account can be revoked.' },
  ConnectedAccount_WebhookSignature: {
    code: 610,
    status: 401,
    fix: 'Compare the secret of the auth config, and the signature that the manifest describes, with the app’s settings at the provider.',
  },
  ConnectedAccount_CodeNotAwaited: {
    code: 611,
    status: 404,
    fix: 'Have the user begin the connection in the application, then install or allow again within ten minutes.',
  },
  ConnectedAccount_CodeUsed: {
    code: 612,
    status: 409,
    fix: 'Nothing to do if the connection is there; otherwise begin it again.',
  },
  ConnectedAccount_CodeLate: {
    code: 613,
    status: 410,
    fix: 'Begin the connection again and finish it within ten minutes.',
  },
  Migration_NotFound: { code: 701, status: 404, fix: 'Check the uuid and its type.' },
  Migration_Gone: { code: 702, status: 410, fix: 'The resource was deleted; create a new one.' },
  Project_NotFound: {
    code: 901,
    status: 404,
    fix: 'List the projects of the organization and use an id from there.',
  },
  Project_NameTaken: {
    code: 902,
    status: 400,
    fix: 'Choose a name that no other project of the organization has.',
  },
  Project_LastProject: { code: 903, status: 403, fix: 'Create another project before deleting this one.' },
  Event_NotFound: {
    code: 1424,
    status: 404,
    fix: 'List the events of the project and use an id from there; they are kept for event_retention_days.',
  },
  Event_TooManyStreams: {
    code: 1429,
    status: 429,
    fix: 'Close a stream that nobody reads, or let one reader serve several.',
  },
  Incident_NotFound: { code: 904, status: 404, fix: 'Use the id that creating the incident answered.' },
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
    fix: 'Nothing to do: the user has an instance of this server.',
  },
  Mcp_NotConnected: {
    code: 1304,
    status: 403,
    fix: 'Connect an account of the user for every auth config of the server first.',
  },
  Mcp_IdentityRequired: {
    code: 1305,
    status: 400,
    fix: 'Add user_id, or connected_account_id, to the query of the address.',
  },
  Mcp_TransportGone: {
    code: 1306,
    status: 410,
    fix: 'Use the transport streamable HTTP with the address that ends in /mcp.',
  },
  Mcp_AddressRefused: {
    code: 1307,
    status: 403,
    fix: 'Use the address of PUBLIC_URL; pages of other sites may not call MCP servers.',
  },
  Mcp_SignInNotFound: {
    code: 1308,
    status: 404,
    fix: 'Let the MCP client ask again; a sign-in is open for fifteen minutes.',
  },
  Mcp_OtherUser: {
    code: 1309,
    status: 403,
    fix: 'Use the address without user_id and connected accounts, or with those of the user who signed in.',
  },
  Mcp_GrantNotFound: {
    code: 1310,
    status: 404,
    fix: 'List the client grants of the project and use an id from there.',
  },
  Mcp_TokenInvalid: {
    code: 1311,
    status: 401,
    fix: 'Sign in again: let the MCP client refresh its token or ask for a new one.',
  },
  Log_NotFound: {
    code: 1504,
    status: 404,
    fix: 'Use a log_id that an execution of this project answered; the log is kept for LOG_RETENTION_DAYS.',
  },
  ActionExecute_ConnectedAccountNotFound: {
    code: 1810,
    status: 404,
    fix: 'Connect an account of this toolkit for the user, then try again.',
  },
  ActionExecute_ConnectedAccountEntityIdRequired: {
    code: 1811,
    status: 400,
    fix: 'Send the user_id that owns the connected account.',
  },
  ActionExecute_ConnectedAccountEntityIdMismatch: {
    code: 1812,
    status: 400,
    fix: 'Send the user_id that owns the connected account.',
  },
  ActionExecute_ConnectedAccountExpired: {
    code: 1820,
    status: 410,
    fix: 'Have the user connect the account again.',
  },
  ActionExecute_ConnectedAccountNotActive: {
    code: 1821,
    status: 422,
    fix: 'Finish or repeat the connection, or enable the account and its auth config.',
  },
  ActionExecute_SharedAccessDenied: {
    code: 1822,
    status: 403,
    fix: 'Ask the owner of the shared account for access.',
  },
  ActionExecute_ToolNotAllowed: {
    code: 1823,
    status: 403,
    fix: 'Use a tool that the auth config allows, or change its tool_access_config.',
  },
  ActionExecute_ToolDeprecated: { code: 1830, status: 410, fix: 'Use the tool that replaces it.' },
  ActionExecute_UpstreamUnreachable: {
    code: 1840,
    status: 502,
    fix: 'Check the address of the application and that it is running; addresses of private networks need EGRESS_ALLOW.',
  },
  ActionExecute_UpstreamUnavailable: {
    code: 1841,
    status: 503,
    fix: 'Try again later; the application is not available.',
  },
  ActionExecute_UpstreamTimeout: {
    code: 1842,
    status: 504,
    fix: 'Try again later, or ask the application for less at once.',
  },
  ActionExecute_NoModelConfigured: {
    code: 1860,
    status: 501,
    fix: 'Send arguments instead of text, or have the operator set LLM_BASE_URL and LLM_MODEL.',
  },
  ActionExecute_ModelUnavailable: {
    code: 1861,
    status: 503,
    fix: 'Try again later, or send arguments instead of text; the operator finds the reason in the log.',
  },
  ActionExecute_ModelBusy: {
    code: 1862,
    status: 429,
    fix: 'Wait a little before the next call with text, or send arguments.',
  },
  ActionExecute_IdempotencyKeyReused: {
    code: 1870,
    status: 409,
    fix: 'Send a new Idempotency-Key with a new call; repeat a call with exactly what it was first made with.',
  },
  ActionExecute_IdempotentCallUnderWay: {
    code: 1871,
    status: 409,
    fix: 'Ask again with the same key in a few seconds.',
  },
  ActionExecute_IdempotentOutcomeUnknown: {
    code: 1872,
    status: 409,
    fix: 'Look in the log and in the application whether it had its effect; to make the call again, use a new key.',
  },
  ActionExecute_IdempotentResultNotKept: {
    code: 1873,
    status: 409,
    fix: 'Read how it ended in the log; to make the call again, use a new key.',
  },
  ActionExecute_NotRecorded: {
    code: 1875,
    status: 404,
    fix: 'Record this call with `patchbay record`, or make the calls that were recorded, as often as they were.',
  },
  ActionExecute_ResponseNotFound: {
    code: 1874,
    status: 404,
    fix: 'Use the id and the pages that the execution answered, within the hour; otherwise execute again.',
  },
  ActionExecute_PolicyRefused: {
    code: 1880,
    status: 403,
    fix: 'Do without this call, or have whoever runs the project change the policy; `patchbay policies check` says which one it is.',
  },
  ActionExecute_ApprovalRequired: {
    code: 1881,
    status: 403,
    fix: 'Have a person decide, at the url in errors or with `patchbay approvals approve`, then make exactly this call again.',
  },
  Policy_NotFound: {
    code: 1901,
    status: 404,
    fix: 'List the policies of the project and use an id from there.',
  },
  Policy_LimitReached: {
    code: 1902,
    status: 409,
    fix: 'Delete a policy that is no longer needed, or let one cover more tools.',
  },
  Approval_NotFound: {
    code: 1911,
    status: 404,
    fix: 'List the approvals of the project and use an id from there.',
  },
  Approval_NotPending: {
    code: 1912,
    status: 409,
    fix: 'Nothing can be decided any more; if the call is still wanted, make it again, and it asks again.',
  },
  Approval_LimitReached: {
    code: 1913,
    status: 429,
    fix: 'Decide on calls that wait (`patchbay approvals list --status pending`), or wait until they expire.',
  },
  Approval_SignatureRefused: {
    code: 1914,
    status: 401,
    fix: 'Sign the answer with the secret of a webhook subscription that takes service.approval.requested, and send it within five minutes.',
  },
  ActionProxy_OriginMismatch: {
    code: 1850,
    status: 400,
    fix: 'Use a path below the base address of the account.',
  },
  ActionProxy_MissingAuthContext: {
    code: 1851,
    status: 400,
    fix: 'Name a connected account or send custom connection data.',
  },
  File_NotFound: {
    code: 1604,
    status: 404,
    fix: 'Upload the file with this project first, or run the tool again that answered it; files are kept for a limited time.',
  },
  File_AddressRefused: {
    code: 1601,
    status: 403,
    fix: 'Use the whole address as it was given out, for what it was given out for.',
  },
  File_AddressExpired: {
    code: 1603,
    status: 403,
    fix: 'Request another address; the project setting signed_url_file_expiry_in_seconds says how long one is good.',
  },
  File_DigestMismatch: {
    code: 1605,
    status: 400,
    fix: 'Send the bytes whose MD5 was announced, or request an upload with their MD5.',
  },
  File_TypeMismatch: { code: 1606, status: 400, fix: 'Send the mimetype of the request as Content-Type.' },
  File_AlreadyUploaded: { code: 1609, status: 409, fix: 'Request another upload for other bytes.' },
  File_TooLarge: {
    code: 1613,
    status: 413,
    fix: 'Send a smaller file, or have the operator raise FILE_MEGABYTES_MAX.',
  },
  File_QuotaExceeded: {
    code: 1614,
    status: 413,
    fix: 'Wait until older files have expired, or have the operator raise FILES_MEGABYTES_PER_PROJECT.',
  },
  File_StorageUnavailable: {
    code: 1653,
    status: 503,
    fix: 'Try again in a few seconds; if it persists, the operator finds the cause in the log.',
  },
  Toolkit_ToolkitNotFound: { code: 2101, status: 404, fix: 'List the toolkits and use a slug from there.' },
  Toolkit_VersionNotFound: { code: 2102, status: 404, fix: 'Use latest or one of available_versions.' },
  Toolkit_SlugTaken: { code: 2103, status: 409, fix: 'Choose another `slug`.' },
  Toolkit_InUse: { code: 2104, status: 409, fix: 'Delete the auth configs of the toolkit first.' },
  Toolkit_LimitReached: {
    code: 2105,
    status: 409,
    fix: 'Delete a toolkit that is no longer needed, or import fewer operations.',
  },
  Toolkit_NotOwn: {
    code: 2106,
    status: 403,
    fix: 'Only toolkits that the project imported can be changed or deleted.',
  },
  Toolkit_DocumentRefused: {
    code: 2110,
    status: 422,
    fix: 'Mend the document as the message says, or give another one.',
  },
  Toolkit_DocumentTooLarge: {
    code: 2111,
    status: 413,
    fix: 'Give a smaller document: split it by the areas of the API.',
  },
  Toolkit_DocumentUnreachable: {
    code: 2112,
    status: 422,
    fix: 'Check the address and the headers that it needs, or send the document itself; addresses of private networks need EGRESS_ALLOW.',
  },
  Tool_ToolNotFound: {
    code: 2401,
    status: 404,
    fix: 'List the tools of the toolkit and use a slug and version from there.',
  },
  TriggerType_NotFound: { code: 1101, status: 404, fix: 'List the trigger types and use a slug from there.' },
  TriggerInstance_NotFound: {
    code: 1204,
    status: 404,
    fix: 'List the active triggers and use an id from there.',
  },
  TriggerInstance_AlreadyInState: {
    code: 1209,
    status: 409,
    fix: 'Nothing to do: it is in that state already.',
  },
  TriggerInstance_Gone: { code: 1210, status: 410, fix: 'Create the trigger again.' },
  TriggerInstance_PollingConfigInvalid: {
    code: 1213,
    status: 400,
    fix: 'Correct the polling configuration.',
  },
  TriggerInstance_ConfigInvalid: {
    code: 1214,
    status: 400,
    fix: 'Correct trigger_config against the config schema of the trigger type.',
  },
  TriggerInstance_WebhookEndpointRequired: {
    code: 1215,
    status: 400,
    fix: 'Set up the webhook endpoint of the toolkit first.',
  },
  TriggerInstance_ApplicationRefused: {
    code: 1217,
    status: 422,
    fix: 'Correct what the message names, at the application or in trigger_config, then create the trigger again.',
  },
  TriggerInstance_LimitReached: {
    code: 1218,
    status: 409,
    fix: 'Delete triggers that are no longer needed, or have the operator make another project.',
  },
  TriggerInstance_ConnectionNotUsable: {
    code: 1216,
    status: 422,
    fix: 'Connect an account of the toolkit for this user first.',
  },
  WebhookEndpoint_NotFound: {
    code: 1450,
    status: 404,
    fix: 'List the webhook endpoints and use an id from there.',
  },
  WebhookEndpoint_NotSupported: {
    code: 1451,
    status: 400,
    fix: 'Create the trigger directly: the toolkit needs no webhook endpoint.',
  },
  WebhookEndpoint_LimitReached: {
    code: 1452,
    status: 409,
    fix: 'Delete a webhook endpoint that is no longer needed.',
  },
  WebhookIngress_Refused: {
    code: 1461,
    status: 401,
    fix: 'Compare the address and the secret in the settings of the application with the webhook endpoint.',
  },
  WebhookIngress_Unreadable: {
    code: 1462,
    status: 400,
    fix: 'Send JSON or a form, as the application documents its deliveries.',
  },
  WebhookIngress_TooMany: { code: 1463, status: 429, fix: 'Deliver again after Retry-After.' },
  WebhookIngress_Gone: {
    code: 1464,
    status: 410,
    fix: 'Remove the webhook at the application: its trigger was deleted.',
  },
  WebhookSubscription_AddressRefused: {
    code: 1400,
    status: 400,
    fix: 'Give a public https address without credentials; for a receiver of your own network, have the operator open it with EGRESS_ALLOW.',
  },
  WebhookSubscription_NotFound: {
    code: 1404,
    status: 404,
    fix: 'List the webhook subscriptions and use an id from there.',
  },
  WebhookSubscription_AlreadyExists: { code: 1409, status: 409, fix: 'Update the existing subscription.' },
  WebhookSubscription_LimitReached: {
    code: 1410,
    status: 409,
    fix: 'Delete a subscription that is no longer needed, or let one receiver take more events.',
  },
  ToolRouterV2_SessionNotFound: {
    code: 4300,
    status: 404,
    fix: 'Open a session with POST /tool_router/session and use its session_id.',
  },
  ToolRouterV2_InvalidConfig: {
    code: 4301,
    status: 400,
    fix: 'Correct the fields listed in errors and send the request again.',
  },
  ToolRouterV2_NoActiveConnection: {
    code: 4302,
    status: 400,
    fix: 'Connect an account of the toolkit in this session first.',
  },
  ToolRouterV2_AccountRequired: {
    code: 4303,
    status: 400,
    fix: 'Send `account` with one of the accounts that the message lists.',
  },
  ToolRouterV2_NoAuthConfig: {
    code: 4304,
    status: 404,
    fix: 'Create an auth config for the toolkit, or name one in auth_configs of the session.',
  },
  ToolRouterV2_AccountPinned: {
    code: 4305,
    status: 400,
    fix: 'Take the toolkit out of connected_accounts of the session to connect another account.',
  },
  ToolRouterV2_MetaToolDisabled: {
    code: 4306,
    status: 400,
    fix: 'Use one of tool_router_tools of the session, or enable it with PATCH.',
  },
  ToolRouterV2_LocalTool: {
    code: 4307,
    status: 400,
    fix: 'Run the tool in your own process, where its function is; the SDK does so by itself.',
  },
  ToolRouterV2_MountNotFound: {
    code: 4308,
    status: 404,
    fix: 'Use the mount files; sessions have no other.',
  },
  ToolRouterV2_ConfigVersionConflict: {
    code: 4309,
    status: 409,
    fix: 'Read the session, and send the change with its config_version.',
  },
  ToolRouterV2_SavedConfigNotFound: {
    code: 4311,
    status: 404,
    fix: 'List the saved session configs with GET /tool_router/session_configs, and use the id of one that is not archived.',
  },
  ToolRouterV2_SavedConfigConflict: {
    code: 4312,
    status: 409,
    fix: 'Use another name, or archive the other one.',
  },
  ToolRouterV2_SessionExists: {
    code: 4310,
    status: 409,
    fix: 'Use the session that the user has, or another configuration.',
  },
} as const satisfies Record<string, { code: number; status: number; fix: string }>

export type ErrorSlug = keyof typeof ERRORS

/** Conditions that any route can answer with, beside those it names itself. */
export const SHARED_ERRORS: readonly ErrorSlug[] = [
  'HTTP_BadRequest',
  'HTTP_Unauthorized',
  'APIKey_InvalidAPIKey',
  'APIKey_InsufficientPermissions',
  'APIKey_IpNotAllowed',
  'HTTP_PayloadTooLarge',
  'HTTP_UnsupportedMediaType',
  'HTTP_TooManyRequests',
  'HTTP_InternalServerError',
  'HTTP_ServiceUnavailable',
]
