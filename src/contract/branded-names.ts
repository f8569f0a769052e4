/**
 * Every identifier of the API that contains the brand, in the internal spelling (`service`). Names that are not in this
 * list are never renamed: SERVICE_ACCOUNT is a scheme, and a user may name an auth config `use_service_managed_auth`.
 */
export const BRANDED_NAMES = {
  /** Fields of request and response bodies, and query parameters. */
  keys: [
    'is_service_managed',
    'service_managed_auth_schemes',
    'service_managed_auth',
    'service_link_redirect_url',
    'is_service_link_enabled_for_managed_auth',
    'managed_auth_via_service',
    'managed_auth_by_service',
    'include_service_helper_actions',
  ],
  /** Enum values, in every schema that lists them. */
  values: ['use_service_managed_auth'],
  /** Fields whose value can be the word alone. */
  bareValueOf: ['managed_by'],
  /** Types of events, and of messages of the event stream. */
  events: [
    'service.trigger.message',
    'service.trigger.disabled',
    'service.connected_account.expired',
    'service.connected_account.active',
    'service.connected_account.failed',
    'service.connected_account.deleted',
    'service.webhook.disabled',
    'service.approval.requested',
    'service.approval.decided',
    'service.budget.threshold_reached',
    'service.session_hook.before_execute',
    'service.session_hook.after_execute',
    'service.tool_execution.ended',
    'service.tool_execution.missed',
  ],
  /** Reasons why the server disabled a trigger. */
  disabledReasons: ['polling_failure_in_service_infra'],
  /** Headers of webhook deliveries. */
  headers: ['x-service-webhook-version', 'x-service-delivery-attempt'],
  /** Slugs of meta tools, in the REST API and as MCP tool names. */
  metaTools: [
    'SERVICE_SEARCH_TOOLS',
    'SERVICE_GET_TOOL_SCHEMAS',
    'SERVICE_MULTI_EXECUTE_TOOL',
    'SERVICE_MANAGE_CONNECTIONS',
    'SERVICE_WAIT_FOR_CONNECTIONS',
    'SERVICE_REMOTE_WORKBENCH',
    'SERVICE_REMOTE_BASH_TOOL',
    'SERVICE_UPSERT_RECIPE',
    'SERVICE_GET_RECIPE',
  ],
  /** Toolkit of the meta tools. */
  metaToolkit: ['service'],
  /** Environment variables that clients read, for documents and hints. */
  variables: [
    'SERVICE_API_KEY',
    'SERVICE_USER_API_KEY',
    'SERVICE_ORG_API_KEY',
    'SERVICE_BASE_URL',
    'SERVICE_LOG_LEVEL',
    'SERVICE_LOG',
    'SERVICE_CUSTOM_HEADERS',
    'SERVICE_TOOLKIT_VERSION_',
    'SERVICE_WEBHOOK_SECRET',
    'SERVICE_ALLOW_INSECURE_HTTP',
  ],
} as const
export type BrandedName = (typeof BRANDED_NAMES)[keyof Omit<typeof BRANDED_NAMES, 'bareValueOf'>][number]
