// Generated from the OpenAPI document by scripts/write-client.ts.
/* eslint-disable */

export interface ErrorEnvelope {
  /** The error. */
  error: {
    /** The problem in one sentence, for people. The wording may change. */
    message: string
    /** Numeric code of the error. It never changes its meaning. */
    code: number
    /** Name of the error. It never changes its meaning. */
    slug: string
    /** HTTP status of the response. */
    status: number
    /** Id of the request, also in the header `x-request-id` and in the log of the server. */
    request_id: string
    /** The next step that resolves the error. */
    suggested_fix: string
    /** One text for each invalid field; empty for other errors. At most 50. */
    errors: string[]
  }
}

/** The encrypted page. */
export interface PassphraseEnvelope {
  /** Salt of scrypt with N = 131072, r = 8, p = 1 and a key of 32 bytes. In base64. */
  salt: string
  /** Nonce of AES-256-GCM. In base64. */
  nonce: string
  /** Authentication tag of AES-256-GCM. In base64. */
  tag: string
  /** The encrypted JSON: lists `auth_configs` (`id`, `credentials`, `shared_credentials`) and `connected_accounts` (`id`, `val`, `token_expires_at`). In base64. */
  ciphertext: string
}

export interface Project {
  /** Id of the project, `proj_…`. */
  id: string
  /** Id of the organization, `org_…`. */
  org_id: string
  /** Name of the project. */
  name: string
  /** Generated e-mail address of the project. */
  email: string
  /** When the project was created. */
  created_at: string
  /** When the project was last changed. */
  updated_at: string
  /** When the project last subscribed to trigger messages; null for never. */
  last_subscribed_at: string | null
  /** URL of the oldest webhook subscription with trigger messages; null for none. */
  webhook_url: string | null
  /** URL of the oldest webhook subscription with other events; null for none. */
  event_webhook_url: string | null
  /** Secret of the subscription of `webhook_url`: in clear in v3, masked in v3.1; null for none. */
  webhook_secret: string | null
  /** Whether triggers run. */
  triggers_enabled: boolean
  /**
   * Deprecated: whether the webhook is of version V2 or later.
   * @deprecated
   */
  is_new_webhook: boolean
  /** Whether the project was deleted. */
  deleted: boolean
  /** Payload version of that subscription; V2 for none. */
  webhook_version: string
  /** API keys of the project. */
  api_keys: {
    /** Id of the key. */
    id: string
    /** Name of the key. */
    name: string
    /** The key. Readable in the response that creates it, and in v3 in responses about the project; otherwise masked. */
    key: string
    /** When the key was created. */
    created_at: string
  }[]
}

export interface ProjectConfig {
  /** Whether a call that names a connected account must name its owner in `user_id`, too. Without it, a call may name the account alone, and its owner is the user of the call. Default false. */
  is_2FA_enabled: boolean
  /** URL of the logo on hosted pages; null for none. */
  logo_url: string | null
  /** Name on hosted pages; null for the name of the project. */
  display_name: string | null
  /** Colour of buttons and links on hosted pages, as `#rrggbb`; null for the default. It is made darker or lighter where it would not be readable. An addition of this server. */
  accent_color: string | null
  /** URL of your support, linked on hosted pages; null for none. An addition of this server. */
  support_url: string | null
  /** URL of your privacy policy, linked on hosted pages; null for none. An addition of this server. */
  privacy_url: string | null
  /** Whether responses mask the secrets of custom connections. Default true. */
  mask_secret_keys_in_connected_account: boolean
  /** `dont_store_data`: execution logs hold no arguments and results. Default `show_all`. */
  log_visibility_setting: "show_all" | "dont_store_data"
  /** Whether MCP clients have to send `x-api-key` or the token of a user. Default true. With false, anyone who knows the URL of an MCP server or session calls its tools as any user that the URL names. */
  require_mcp_api_key: boolean
  /**
   * Deprecated: whether managed connections use the hosted page. Default true.
   * @deprecated
   */
  is_service_link_enabled_for_managed_auth: boolean
  /** Lifetime of file URLs, in seconds. Default 3600. URLs are valid for at most seven days. */
  signed_url_file_expiry_in_seconds: number
  /** Whether triggers run. With false, applications are not polled and their webhooks make no events; polls continue afterwards where they ended. Default true. An addition of this server. */
  triggers_enabled: boolean
  /** Number of days for which events can be read and replayed. Default 30. An addition of this server. */
  event_retention_days: number
  /** Whether searches in sessions rank tools higher that the project called successfully in the last 30 days. Only numbers of calls are read. Default true. An addition of this server. */
  rank_tools_by_use: boolean
  /** Form of the parameters of tools and trigger types under /api/v3. `map`: a map of names to descriptions. `json_schema`: JSON Schema, as under /api/v3.1. Null, the default: `map`, or `json_schema` on a server with WIRE_BRAND. An addition of this server. */
  v3_parameter_format: "map" | "json_schema" | null
  /** URL of your application to which browsers are redirected, with `sign_in_id`, when an MCP client starts a sign-in. Redirect the user to the link of `POST /mcp/sign_in_links`. Null for none. An addition of this server. */
  mcp_sign_in_url: string | null
  /** URL of your application to which browsers are redirected, with `session_uri`, after a provider. Connections become ACTIVE after `POST /connected_accounts/complete_auth`. Null for none. An addition of this server. */
  identity_verification_url: string | null
}

export interface ToolkitImportReport {
  /** Slug of the toolkit. */
  slug: string
  /** Name of the toolkit. */
  name: string
  /** Kind of the document. */
  type: "openapi" | "graphql" | "postman" | "mcp" | "toolkit"
  /** Version of the toolkit; null in a preview that would create a new one. */
  version: string | null
  /** False when the content is that of the newest version. */
  created: boolean
  /** Whether this is a preview. */
  dry_run: boolean
  /** Authentication schemes of the toolkit. */
  auth_schemes: string[]
  /** Number of operations and tools. */
  counts: {
    /** Operations in the document. */
    operations: number
    /** Tools of the toolkit. */
    tools: number
    /** Operations that cannot become tools. */
    refused: number
    /** Tools that were left out because no model would receive them. */
    quarantined: number
  }
  /** Slugs of the first 100 tools. */
  tools: string[]
  /** Operations that cannot become tools, by cause. */
  refused: {
    /** Cause. */
    cause: string
    /** Number of operations. */
    count: number
    /** The first operations. */
    examples: {
      /** Method and path, or name, of the operation. */
      operation: string
      /** Reason in plain text. */
      reason: string
    }[]
  }[]
  /** Tools that were left out because no model would receive them. */
  quarantined: {
    /** Slug of the tool. */
    tool: string
    /** Reason in plain text. */
    reason: string
  }[]
  /** Further remarks on the import. */
  notes: string[]
  /** Differences from the previous version; null for the first version. */
  difference: {
    /** Number of changes. */
    counts: {
      /** New tools. */
      added: number
      /** Removed tools. */
      removed: number
      /** Changed tools. */
      changed: number
      /** Tools with changes that can break callers. */
      breaking: number
    }
    /** Slugs of the new tools. */
    added: string[]
    /** Slugs of the removed tools. */
    removed: string[]
    /** Changed tools. */
    changed: {
      /** Slug of the tool. */
      slug: string
      /** Changes that can break callers. */
      breaking: string[]
      /** Other changes. */
      other: string[]
    }[]
    /** Changes of the toolkit itself. */
    toolkit: {
      /** Changes that can break callers. */
      breaking: string[]
      /** Other changes. */
      other: string[]
    }
  }
}

export interface ToolkitVersion {
  /** Version, `YYYYMMDD_NN`. */
  version: string
  /** SHA-256 of the content. Equal contents have equal digests. */
  digest: string
  /** Changes in the version. */
  changes: string
  /** When the version was added. */
  created_at: string
  /** Origin of the version. */
  source: {
    /** `built_in`, or the kind of the imported document. */
    kind: string
    /** URL that the document was fetched from; null for none. */
    address: string | null
  }
  /** Number of tools. */
  tools_count: number
  /** Tools that were left out because no model would receive them. */
  quarantined: {
    /** Slug of the tool. */
    slug: string
    /** Reason in plain text. */
    reason: string
  }[]
}

export interface ToolkitSummary {
  /** Slug of the toolkit. */
  slug: string
  /** Name of the toolkit. */
  name: string
  /** Authentication schemes. */
  auth_schemes: string[]
  /** Schemes for which the server has managed credentials. */
  service_managed_auth_schemes: string[]
  /**
   * Deprecated: always false.
   * @deprecated
   */
  is_local_toolkit: boolean
  /** Whether the tools work without a connection. */
  no_auth: boolean
  /** `native`: part of the server. `custom`: imported by the project. */
  type: string
  /** URL of a guide to creating the credentials; null when there is none. */
  auth_guide_url: string | null
  /** Deprecated fields of earlier versions. */
  deprecated: {
    /**
     * Deprecated: legacy UUID of the toolkit.
     * @deprecated
     */
    toolkitId: string
  }
  /** Description, counts and versions. */
  meta: {
    /** When the toolkit was added. */
    created_at: string
    /** When the toolkit was last changed. */
    updated_at: string
    /** Description of the toolkit. */
    description: string
    /** URL of the logo. */
    logo: string
    /** URL of the application. */
    app_url: string
    /** Categories of the toolkit. */
    categories: {
      /** Id of the category. */
      id: string
      /** Slug of the category. */
      slug: string
      /** Name of the category. */
      name: string
    }[]
    /** Number of trigger types. */
    triggers_count: number
    /** Number of tools. */
    tools_count: number
    /** Version, `YYYYMMDD_NN`. */
    version: string
    /** Versions that calls can ask for. */
    available_versions: string[]
  }
}

export interface FieldDescriptor {
  /** Name of the field. */
  name: string
  /** Display name. */
  displayName: string
  /** Type of the value: `string`, `number` or `boolean`. */
  type: string
  /** Description for the person who supplies the value. */
  description: string
  /** Whether the field is required. */
  required: boolean
  /** Default value; null for none. */
  default: string | null
  /** Former name of the field, which is accepted too. */
  legacy_template_name?: string
  /** Whether the value is a secret. */
  is_secret?: boolean
}

export interface Toolkit {
  /** Slug of the toolkit. */
  slug: string
  /** Name of the toolkit. */
  name: string
  /** Authentication schemes. */
  auth_schemes: string[]
  /** Schemes for which the server has managed credentials. */
  service_managed_auth_schemes: string[]
  /**
   * Deprecated: always false.
   * @deprecated
   */
  is_local_toolkit: boolean
  /** Whether the tools work without a connection. */
  no_auth: boolean
  /** `native`: part of the server. `custom`: imported by the project. */
  type: string
  /** URL of a guide to creating the credentials; null when there is none. */
  auth_guide_url: string | null
  /** Whether the project can use the toolkit: false if a policy denies every call of it. */
  enabled: boolean
  /** Authentication schemes with their fields. */
  auth_config_details: {
    /** Authentication scheme. */
    mode: string
    /** Display name of the scheme. */
    name: string
    /** Fields of the scheme. */
    fields: {
      /** Fields that an auth config needs. */
      auth_config_creation: {
        /** Required fields. */
        required: FieldDescriptor[]
        /** Optional fields. */
        optional: FieldDescriptor[]
      }
      /** Fields that a user supplies when connecting. */
      connected_account_initiation: {
        /** Required fields. */
        required: FieldDescriptor[]
        /** Optional fields. */
        optional: FieldDescriptor[]
      }
    }
    /** Target of proxy requests. */
    proxy: {
      /** Base URL of the API. Values of the connection replace `{placeholders}`. */
      base_url: string
    }
    /**
     * Deprecated: endpoints of the OAuth provider.
     * @deprecated
     */
    deprecated_auth_provider_details?: {
      /** URL of the authorization endpoint; empty for client credentials. */
      authorization_url: string
      /** URL of the token endpoint. */
      token_url: string
    }
    /** URL of the page of the application that shows the credentials. */
    auth_hint_url?: string
  }[]
  /** Schemes with managed credentials of the server. */
  service_managed_auth: {
    /** Authentication scheme. */
    mode: string
    /** OAuth scopes. */
    scopes: {
      /** Scopes that connections can request. */
      available: string[]
    }
  }[]
  /** Base URL of the API. */
  base_url: string
  /** Path of the request that reads the current user; empty when there is none. */
  get_current_user_endpoint: string
  /** HTTP method of that request. */
  get_current_user_endpoint_method: string
  /** Description, counts and versions. */
  meta: {
    /** When the toolkit was added. */
    created_at: string
    /** When the toolkit was last changed. */
    updated_at: string
    /** Description of the toolkit. */
    description: string
    /** URL of the logo. */
    logo: string
    /** URL of the application. */
    app_url: string
    /** Categories of the toolkit. */
    categories: {
      /** Id of the category. */
      id: string
      /** Slug of the category. */
      slug: string
      /** Name of the category. */
      name: string
    }[]
    /** Number of trigger types. */
    triggers_count: number
    /** Number of tools. */
    tools_count: number
    /** Version, `YYYYMMDD_NN`. */
    version: string
    /** Versions that calls can ask for. */
    available_versions: string[]
  }
  /** Deprecated fields of earlier versions. */
  deprecated: {
    /**
     * Deprecated: legacy UUID of the toolkit.
     * @deprecated
     */
    toolkitId: string
    /**
     * Deprecated: use `get_current_user_endpoint`.
     * @deprecated
     */
    getCurrentUserEndpoint: string
    /**
     * Deprecated: `auth_mode` and `proxy.base_url` of each scheme. Use `auth_config_details[].proxy`.
     * @deprecated
     */
    rawProxyInfoByAuthSchemes: Record<string, unknown>[]
  }
}

export interface SchemeSetup {
  /** Name of the scheme, e.g. `OAUTH2`. */
  mode: string
  /** Display name of the scheme. */
  name: string
  /** Redirect URI to register at the vendor. `{auth_config_id}` in it is replaced when the auth config exists. Null for schemes without a redirect. */
  redirect_uri: string | null
  /** Whether the vendor accepts https redirect URIs only. */
  needs_https: boolean
  /** Whether the vendor accepts `redirect_uri`. If false, set `PUBLIC_URL` to an https URL of this server. */
  redirect_uri_accepted: boolean
  /** Page of the vendor where the OAuth app or the key is created. */
  console_url: string | null
  /** Token endpoint. Null for schemes without one. */
  token_url: string | null
  /** Scopes that are requested when the auth config has none. */
  default_scopes: ({
    /** Scope, as the vendor spells it. */
    scope: string
    /** What it permits, as a sentence for end users. */
    description: string | null
  })[]
  /** Whether the administrator configured an OAuth app: users can connect without these steps. */
  managed: boolean
  /** Steps at the vendor, with the redirect URI and the scopes filled in. */
  steps: string[]
  /** Page of the vendor that describes the steps. */
  source: string | null
}

export interface Tool {
  /** Slug of the tool. */
  slug: string
  /** Display name. */
  name: string
  /** Description for the language model. */
  description: string
  /** Description for people. */
  human_description: string
  /** Toolkit of the tool. */
  toolkit: {
    /** Slug of the toolkit. */
    slug: string
    /** Name of the toolkit. */
    name: string
    /** URL of the logo. */
    logo: string
  }
  /** Arguments. v3: descriptors by parameter name; v3.1: JSON Schema of an object. */
  input_parameters: Record<string, unknown>
  /** Result. v3: descriptors by field name; v3.1: JSON Schema of an object. */
  output_parameters: Record<string, unknown>
  /** Whether the tool works without a connection. */
  no_auth: boolean
  /** Version of the toolkit, `YYYYMMDD_NN`. */
  version: string
  /** Versions of the toolkit that contain the tool. */
  available_versions: string[]
  /** OAuth scopes that the tool needs. */
  scopes: string[]
  /** Which scopes are alternatives: all of `all_of` are needed, of an `any_of` one. Null when the tool needs none. */
  scope_requirements: Record<string, unknown> | null
  /** Tags, such as `important` and `readOnlyHint`. */
  tags: string[]
  /** Whether the tool will be removed. */
  is_deprecated: boolean
  /** Deprecated fields of earlier versions. */
  deprecated: {
    /**
     * Deprecated: use `name`.
     * @deprecated
     */
    displayName: string
    /**
     * Deprecated: use `version`.
     * @deprecated
     */
    version: string
    /**
     * Deprecated: use `available_versions`.
     * @deprecated
     */
    available_versions: string[]
    /**
     * Deprecated: use `is_deprecated`.
     * @deprecated
     */
    is_deprecated: boolean
    /**
     * Deprecated: use `toolkit`.
     * @deprecated
     */
    toolkit: {
      /**
       * Deprecated: use `toolkit.logo`.
       * @deprecated
       */
      logo: string
    }
  }
}

export interface AuthConfig {
  /** Id of the auth config, `ac_…`. */
  id: string
  /** Legacy UUID of the auth config. */
  uuid: string
  /** `default`: managed credentials of the server. `custom`: credentials of the project. */
  type: "default" | "custom"
  /** Display name. */
  name: string
  /** Toolkit of the auth config. */
  toolkit: {
    /** Slug of the toolkit. */
    slug: string
    /** URL of the logo. */
    logo: string
    /** URL of a guide to creating the credentials; null when there is none. */
    auth_guide_url: string | null
    /** URL of the page of the application that shows the credentials; null when there is none. */
    auth_hint_url: string | null
  }
  /** Authentication scheme, in upper case. */
  auth_scheme: string
  /** Whether the credentials are the managed ones of the server. */
  is_service_managed: boolean
  /** Credentials by field name. Secrets are masked: the first four characters for custom credentials, `REDACTED` for managed ones. */
  credentials: Record<string, unknown>
  /** Redirect URI to register at the provider; null for a scheme that redirects no browser. Where a project chooses the authorization server, each auth config has its own. */
  redirect_uri: string | null
  /** Proxy for requests to the application, when one is configured. */
  proxy_config?: {
    /** URL of the proxy. */
    proxy_url: string
    /** Key of the proxy, masked. */
    proxy_auth_key?: string
  }
  /** `DISABLED`: no new connections, and the existing ones cannot execute tools. */
  status: "ENABLED" | "DISABLED"
  /** Id of the user that created the auth config. */
  created_by: string
  /** When the auth config was created. */
  created_at: string
  /** When the auth config was last changed. */
  last_updated_at: string
  /** Number of ACTIVE connected accounts. */
  no_of_connections: number
  /** Fields that a user supplies when connecting, without those in `shared_credentials`. */
  expected_input_fields: FieldDescriptor[]
  /**
   * Deprecated: the same as `tool_access_config.tools_available_for_execution`.
   * @deprecated
   */
  restrict_to_following_tools: string[]
  /** Restrictions on tools. */
  tool_access_config: {
    /** Slugs of the tools whose scopes new connections request. */
    tools_for_connected_account_creation: string[]
    /** Slugs of the tools that may be executed. Empty: every tool of the toolkit. */
    tools_available_for_execution: string[]
  }
  /** Values that all connections share. Secrets are masked. */
  shared_credentials: Record<string, unknown>
  /** Whether sessions may select this auth config automatically. */
  is_enabled_for_tool_router: boolean
  /** Deprecated fields of earlier versions. */
  deprecated_params: {
    /**
     * Deprecated: UUID of the newest enabled auth config of the toolkit.
     * @deprecated
     */
    default_connector_id: string | null
    /**
     * Deprecated: UUID of the member or key in `created_by`.
     * @deprecated
     */
    member_uuid: string
    /**
     * Deprecated: legacy UUID of the toolkit.
     * @deprecated
     */
    toolkit_id: string
    /**
     * Deprecated: use the field of the same name above.
     * @deprecated
     */
    expected_input_fields: FieldDescriptor[]
  }
}

export interface ConnectedAccount {
  /** Id of the connected account, `ca_…`. */
  id: string
  /** Second id that is easy to read, such as `gmail_brave-otter`; null for accounts without one. */
  word_id: string | null
  /** Name that the project gave to the account; null for none. */
  alias: string | null
  /** Id of the user that the account belongs to. */
  user_id: string
  /** Toolkit of the account. */
  toolkit: {
    /** Slug of the toolkit. */
    slug: string
  }
  /** Auth config of the account. */
  auth_config: {
    /** Id of the auth config, `ac_…`. */
    id: string
    /** Authentication scheme, in upper case. */
    auth_scheme: string
    /** Whether the credentials are the managed ones of the server. */
    is_service_managed: boolean
    /** Whether the auth config is disabled. */
    is_disabled: boolean
    /** Deprecated fields of earlier versions. */
    deprecated: {
      /**
       * Deprecated: legacy UUID of the auth config.
       * @deprecated
       */
      uuid: string
    }
  }
  /** `ACTIVE` accounts can execute tools. `INITIALIZING` and `INITIATED`: the user has not finished connecting. `FAILED`, `EXPIRED`, `REVOKED`: the user has to connect again. `INACTIVE`: switched off. */
  status: "INITIALIZING" | "INITIATED" | "ACTIVE" | "FAILED" | "EXPIRED" | "INACTIVE" | "REVOKED"
  /** Reason for the status; null when there is none. */
  status_reason: string | null
  /** Whether the account cannot be used because it or its auth config is switched off. */
  is_disabled: boolean
  /** When the account was created. */
  created_at: string
  /** When the account was last changed. */
  updated_at: string
  /** Authentication scheme and credentials. Secrets are masked. */
  state: {
    /** Authentication scheme, in upper case. */
    authScheme: string
    /** Credentials and other values by field name, with `status`. Secrets are masked. */
    val: Record<string, unknown>
  }
  /**
   * Deprecated: the same as `state.val`.
   * @deprecated
   */
  data: Record<string, unknown>
  /** Account at the provider; null when it is not known. An addition of this server. */
  identity: {
    /** Id of the account at the provider; null when it is not known. */
    id: string | null
    /** E-mail address of the account at the provider; null when it is not known. */
    email: string | null
    /** Name of the account at the provider; null when it is not known. */
    name: string | null
    /** Workspace, organization or tenant of the account; null when it is not known. */
    tenant: string | null
    /** Short text that identifies the account to a person. */
    label: string
    /** When the identity was last read from the provider. */
    checked_at: string
    /** Identity before the last authentication, when that one changed it; else null. */
    previous: {
      /** Id of the account at the provider; null when it is not known. */
      id: string | null
      /** E-mail address of the account at the provider; null when it is not known. */
      email: string | null
      /** Name of the account at the provider; null when it is not known. */
      name: string | null
      /** Workspace, organization or tenant of the account; null when it is not known. */
      tenant: string | null
      /** Short text that identifies the account to a person. */
      label: string
    }
  }
  /** URL of a request that tests the credentials; empty when the toolkit has none. */
  test_request_endpoint: string
  /**
   * Deprecated: ingredients of requests with this account.
   * @deprecated
   */
  params?: Record<string, unknown>
  /** OAuth scopes that the connection requested. */
  requested_scopes?: string[]
  /** OAuth scopes that the connection requested for the user token. */
  requested_user_scopes?: string[]
  /** Sharing of the account. Experimental. */
  experimental?: {
    /** `PRIVATE`: only the user of the account may use it. `SHARED`: the access list decides. */
    account_type: "PRIVATE" | "SHARED"
    /** Access list of a SHARED account. */
    acl_config_for_shared?: Record<string, unknown>
  }
  /** Deprecated fields of earlier versions. */
  deprecated: {
    /**
     * Deprecated: always empty.
     * @deprecated
     */
    labels: string[]
    /**
     * Deprecated: legacy UUID of the account.
     * @deprecated
     */
    uuid: string
  }
}

export interface Incident {
  /** Id of the incident, `inc_…`. */
  id: string
  /** Id of the project, `proj_…`; null for every project. */
  project_id: string | null
  /** Slug of the toolkit; null for every toolkit. */
  toolkit_slug: string | null
  /** Id of the user; null for every user. */
  user_id: string | null
  /** Reason that was given; null for none. */
  reason: string | null
  /** When the incident was created. */
  created_at: string
  /** Number of accounts that were ACTIVE and have been frozen. */
  frozen: number
  /** Number of accounts by progress of the revocation. */
  revocations: {
    /** Revocations that are still running. */
    pending: number
    /** Revocations that succeeded. */
    done: number
    /** Revocations that failed for good. */
    failed: number
    /** Accounts whose provider has no revocation. */
    unsupported: number
  }
  /** What was revoked besides accounts, as `revoke` of the request selects it. */
  revoked: {
    /** Number of project keys that were revoked. */
    keys: number
    /** Number of sign-ins of MCP clients that were revoked. */
    mcp_grants: number
    /** Number of sessions that were deleted. */
    sessions: number
    /** Number of webhook subscriptions that were disabled. */
    webhook_subscriptions: number
  }
}

/** The new member. */
export interface Member {
  /** Id of the member, `mbr_…`. */
  id: string
  /** E-mail address, with which the member signs in. */
  email: string
  /** Name of the member. */
  name: string
  /** `owner` and `admin` may use every project and manage members; only an owner may change owners. `member`: see `projects`. */
  role: "owner" | "admin" | "member"
  /** Roles in projects, for the role `member`. */
  projects: ({
    /** Id of the project, `proj_…`. */
    project_id: string
    /** `developer`: tools, toolkits, accounts, sessions and triggers. `operator`: accounts and approvals. `viewer`: read only. */
    role: "developer" | "operator" | "viewer"
  })[]
  /** `invited` until the member has set a password, or signed in at the identity provider. */
  status: "invited" | "active"
  /** Whether a code is needed in addition to the password. */
  has_second_factor: boolean
  /** Last sign-in; null for never. */
  last_sign_in_at: string | null
  /** When the member was invited. */
  created_at: string
}

/** The provider; null if there is none. */
export type SsoProvider = {
  /** Issuer of the provider. */
  issuer: string
  /** Client id of this server at the provider. */
  client_id: string
  /** Whether there is a secret. It is never returned. */
  has_client_secret: boolean
  /** Name of the provider on the sign-in page. */
  name: string
  /** Scopes that are requested, separated by spaces, with `openid`. */
  scopes: string
  /** Domains of verified e-mail addresses that may sign in; empty for all. */
  allowed_domains: string[]
  /** Whether e-mail addresses count as verified although the provider does not send `email_verified`. Only for a provider at which nobody can enter the address of another person. */
  trusts_email: boolean
  /** Claim with the groups or roles of a person. */
  role_claim: string
  /** Roles by value of the claim: `owner` and `admin` of the organization; `developer`, `operator` and `viewer` in every project. With a map, each sign-in sets the role, and the highest one counts. Empty: roles are managed in the console. */
  role_map: Record<string, "owner" | "admin" | "developer" | "operator" | "viewer">
  /** Role of people whom the map gives none. Null: they must be invited, or be in the map. */
  default_role: "owner" | "admin" | "developer" | "operator" | "viewer" | null
  /** Whether this is the only way to sign in: no passwords, passkeys and API keys. */
  is_only: boolean
  /** When the provider was last changed; null for a provider in the settings of the server. */
  updated_at: string | null
}

export interface Sso {
  /** `organization`: set with this operation. `server_settings`: set with CONSOLE_OIDC_ISSUER, and read-only here. */
  source: "none" | "organization" | "server_settings"
  provider: SsoProvider
  /** Redirect URI of the console, to register at the provider. */
  redirect_uri: string
  /** Whether the caller has a session that began at the provider as it is now. Only such a person can make it the only way to sign in. */
  is_proven: boolean
}

export interface OpenIdProviderTest {
  /** Whether no check has failed. */
  is_usable: boolean
  /** The checks in their order. If the metadata cannot be read, there is one. */
  checks: ({
    /** `metadata`: the document of the issuer. `endpoints`, `flow`, `keys`, `scopes` and `claims`: what it announces. `client`: whether the token endpoint accepts the client id and the secret. */
    check: "metadata" | "endpoints" | "flow" | "keys" | "scopes" | "claims" | "client"
    /** `warning`: sign-ins may work nevertheless. */
    result: "ok" | "warning" | "failed"
    /** What was found, and what to change. */
    message: string
  })[]
}

export interface AuditEntry {
  /** Id of the entry, `aud_…`. */
  id: string
  /** When the call began. */
  time: string
  /** Id of the organization, `org_…`. */
  organization_id: string
  /** Id of the project, `proj_…`; null for a call with a key of the organization. */
  project_id: string | null
  /** Who did it. */
  actor: {
    /** Kind of the caller. */
    type: "api_key" | "member" | "user" | "system"
    /** Id of the API key, the member or the user; null for the system. */
    id: string | null
    /** Present name of the API key or the member; null for others, and for a deleted member. */
    name: string | null
  }
  /** Id of the operation, such as `authConfigs.update`. */
  action: string
  /** What it was done to. */
  object: {
    /** Type of the object, such as `auth_config`. */
    type: string
    /** Id of the object; null if the call is about no single object. */
    id: string | null
  }
  /** How the call ended. `unknown`: the server was stopped during the call. */
  outcome: "success" | "failure" | "unknown"
  /** HTTP status of the response; null if there was none. */
  status: number | null
  /** Slug of the error; null on success. */
  error: string | null
  /** Changed fields with their earlier values, without secrets; null for a new object. */
  before: Record<string, unknown> | null
  /** Changed fields with their new values, without secrets; null for a deleted object. */
  after: Record<string, unknown> | null
  /** IP address of the caller. */
  source_ip: string | null
  /** The `User-Agent` of the caller. */
  user_agent: string | null
  /** Value of `x-request-id` of the response. */
  request_id: string | null
  /** Id of the project or organization whose chain contains the entry. */
  chain: string
  /** Number of the entry in its chain, from 1. */
  seq: number
  /** SHA-256, as hex, of the hash of the entry before, `seq` as 8 bytes (big endian), and the JSON text of the entry as exports contain it. */
  hash: string
}

export interface ToolExecutionLog {
  /** Id of the log, `log_…`. */
  id: string
  /** When the call began. */
  timestamp: string
  /** Always `tool.execution`. */
  type: string
  /** `started`: the call may have had its effect, and its end is not known yet. */
  status: "success" | "failed" | "started"
  /** Severity of the outcome. */
  level: "info" | "warn" | "error"
  /** Summary of the outcome. */
  message: string
  /** What was called, and for whom. */
  metadata: {
    /** Slug of the tool. */
    tool_slug: string
    /** Slug of the toolkit. */
    toolkit_slug: string
    /** Version of the toolkit. */
    version: string
    /** Effect of the tool: `read`, `create`, `update` or `delete`; null when it is not known. */
    effect: string | null
    /** Id of the connected account, `ca_…`; null for none. */
    connected_account_id: string | null
    /** Id of the auth config, `ac_…`; null for none. */
    auth_config_id: string | null
    /** Id of the user that the call was for; null for none. */
    user_id: string | null
    /** HTTP status of the application; null without a response. */
    status_code: number | null
    /** Whether the call only previewed the request. */
    dry_run: boolean
  }
  /** Durations and sizes. */
  metrics: {
    /** Duration of the call in milliseconds; null while it runs. */
    duration_ms: number | null
    /** Time to select the connected account, in milliseconds. */
    account_ms?: number
    /** Time to decrypt or refresh the credentials, in milliseconds. */
    credentials_ms?: number
    /** Time in which the server waited for the application, in milliseconds. */
    application_ms?: number
    /** Number of requests to the application, retries included; null while the call runs. */
    requests: number | null
    /** Bytes sent to the application; null while the call runs. */
    request_bytes: number | null
    /** Bytes received from the application; null while the call runs. */
    response_bytes: number | null
  }
  /** Call that made this one, such as that of a meta tool; null for none. */
  parent: {
    /** Id of that log, `log_…`. */
    log_id?: string
    /** Slug of that tool. */
    tool_slug?: string
  }
  /** Begin and end of the call. */
  timings?: {
    /** Begin, in milliseconds since 1970 (UTC). */
    start_time: number
    /** End, in milliseconds since 1970 (UTC). */
    end_time?: number
  }
  /** Context of the call. */
  context: {
    /** Id of the session, `trs_…`. */
    session_id?: string
    /** Id of the sandbox. */
    sandbox_id?: string
    /** Value of `x-request-id` of the call. */
    request_id: string
  }
  /** Client that made the call, as its headers say. */
  source: {
    /** Kind of the client. */
    host?: string
    /** Agent framework. */
    framework?: string
    /** Programming language. */
    language?: string
    /** Version of the SDK. */
    sdk_version?: string
  }
  /** Arguments and result. Empty when the project does not store data. */
  data: {
    /** Arguments of the call. */
    request?: Record<string, unknown>
    /** Result of the call. */
    response?: Record<string, unknown>
  }
}

export interface Overview {
  /** Period of the numbers. */
  range: "24h" | "7d" | "30d"
  /** Begin of the period: a whole hour. */
  from: string
  /** End of the period: now. */
  to: string
  /** Length of a step of `series` in milliseconds. */
  bucket_ms: number
  /** Executions in the period. */
  calls: {
    /** Number of executions, without dry runs. */
    total: number
    /** Number of executions that failed. */
    failed: number
    /** Median duration in milliseconds; null without a finished execution. */
    p50_ms: number | null
    /** 95th percentile of the duration in milliseconds; null without a finished execution. */
    p95_ms: number | null
    /** Number of users with executions. */
    users: number
  }
  /** Executions in the 24 hours, 7 or 30 days before it. */
  previous: {
    /** Number of executions, without dry runs. */
    total: number
    /** Number of executions that failed. */
    failed: number
    /** Median duration in milliseconds; null without a finished execution. */
    p50_ms: number | null
    /** 95th percentile of the duration in milliseconds; null without a finished execution. */
    p95_ms: number | null
    /** Number of users with executions. */
    users: number
  }
  /** Executions by step, oldest first. Steps without executions are included. */
  series: ({
    /** Begin of the step. */
    at: string
    /** Number of executions. */
    calls: number
    /** Number of executions that failed. */
    failed: number
    /** Median duration in milliseconds; null without a finished execution. */
    p50_ms: number | null
    /** 95th percentile of the duration in milliseconds; null without a finished execution. */
    p95_ms: number | null
  })[]
  /** The ten toolkits with most executions in the period. */
  toolkits: {
    /** Slug of the toolkit. */
    slug: string
    /** Number of executions. */
    calls: number
    /** Number of executions that failed. */
    failed: number
  }[]
  /** Connected accounts now. */
  accounts: {
    /** Connected accounts that are ACTIVE. */
    active: number
    /** Connected accounts that are EXPIRED: users have to reconnect. */
    expired: number
    /** Connected accounts that are FAILED. */
    failed: number
    /** Connected accounts with another status. */
    other: number
  }
  /** Approvals now. */
  approvals: {
    /** Calls that wait for the decision of a person. */
    pending: number
  }
  /** Trigger instances now. */
  triggers: {
    /** Instances that are enabled. */
    enabled: number
    /** Enabled instances whose polls fail, or are due for more than ten minutes. */
    stalled: number
    /** Instances that the server disabled, such as after failures. */
    disabled_by_server: number
  }
  /** Webhook subscriptions now. */
  webhooks: {
    /** Webhook subscriptions. */
    subscriptions: number
    /** Subscriptions whose latest deliveries failed. */
    failing: number
    /** Subscriptions that the server disabled. */
    disabled: number
    /** Deliveries that failed for good in the period. */
    dead_deliveries: number
  }
}

export interface McpServerInstance {
  /** Id of the instance. */
  id: string
  /** Id of the user. */
  instance_id: string
  /** Id of the MCP server. */
  mcp_server_id: string
  /** URL of the server for this user. */
  mcp_url: string
  /** When the instance was created. */
  created_at: string
  /** When the instance was last changed. */
  updated_at: string
}

export interface McpServer {
  /** Id of the MCP server, a UUID. */
  id: string
  /** Name of the MCP server. */
  name: string
  /** Ids of the auth configs whose accounts the tools use, `ac_…`. */
  auth_config_ids: string[]
  /** Slugs of tools. A toolkit with tools in the list has only these; tools of other toolkits are added. Empty: every tool of the toolkits. */
  allowed_tools: string[]
  /** URL of the server. A client that signs its user in uses it as it is. With a key, add `user_id` or `connected_account_id` to its query. */
  mcp_url: string
  /** Commands that add the server to a client, by client. */
  commands: {
    /** Command for Cursor. */
    cursor: string
    /** Command for Claude. */
    claude: string
    /** Command for Windsurf. */
    windsurf: string
  }
  /** Slugs of the toolkits. */
  toolkits: string[]
  /** URLs of the logos by toolkit slug. */
  toolkit_icons: Record<string, string>
  /** When the server was last changed. */
  updated_at: string
  /** When the server was created. */
  created_at: string
  /** Number of instances. */
  server_instance_count: number
  /** Whether clients see a tool with which users connect their accounts. Default false. */
  managed_auth_via_service: boolean
  /** Whether the server was deleted. */
  deleted?: boolean
}

export interface McpClientConfigs {
  /** URL of the MCP endpoint. */
  mcp_url: string
  /** Text to replace by a project key wherever it occurs. */
  key_placeholder: string
  /** One entry for each client. */
  clients: ({
    /** The MCP client. */
    client: "claude_code" | "claude_desktop" | "cursor" | "vscode" | "chatgpt" | "windsurf" | "codex" | "gemini_cli" | "typescript" | "python"
    /** Name of the client, for people. */
    name: string
    /** Language of `text`. */
    language: "shell" | "json" | "toml" | "typescript" | "python" | "text"
    /** File that `text` belongs to. Null: run or paste it. */
    file: string | null
    /** Command, configuration or program, complete except for the key. */
    text: string
    /** Where the text goes, in one sentence. */
    hint: string
    /** Whether the client connects from the internet, and so needs a public https URL. */
    needs_https: boolean
  })[]
}

/** The grant that the token belongs to. */
export interface McpClientGrant {
  /** Id of the grant. */
  id: string
  /** Id of the user who signed in. */
  user_id: string
  /** Id of the MCP server, when the grant is for one. */
  mcp_server_id?: string
  /** Id of the session, `trs_…`, when the grant is for one. */
  session_id?: string
  /** MCP client that received the grant. */
  client: {
    /** Id of the client. */
    id: string
    /** Name that the client gives itself. It is not verified. */
    name: string
    /** How the client authenticated when the user signed in: `none`, `client_secret_basic`, `client_secret_post` or `private_key_jwt`; null for grants of an earlier release. */
    authentication: string | null
  }
  /** When the user signed in. */
  created_at: string
  /** When the client last received tokens. A client in use does so every hour. */
  last_used_at: string
  /** When the user has to sign in again, however often the client refreshes. */
  expires_at: string
}

/** The provider; null if none is set. */
export type McpOpenIdProvider = {
  /** Issuer of the provider. */
  issuer: string
  /** Client id of this server at the provider. */
  client_id: string
  /** Whether a secret is stored. It is never returned. */
  has_client_secret: boolean
  /** Name of the provider on the sign-in page. */
  name: string
  /** Scopes that are requested, separated by spaces, with `openid`. */
  scopes: string
  /** Claim whose text is the user id. */
  user_id_claim: string
  /** When the provider was last changed. */
  updated_at: string
}

/** Configuration of the session. */
export interface SessionConfig {
  /** Id of the user that the session acts for. */
  user_id: string
  /** Toolkits of the session. Absent: all toolkits. */
  toolkits?: {
    /** Values that are enabled. */
    enabled?: string[]
    /** Values that are disabled. */
    disabled?: string[]
  }
  /** Ids of auth configs by toolkit slug. */
  auth_configs: Record<string, string>
  /** Connected accounts by toolkit slug. In v3 each value is an id, in v3.1 a list of ids. */
  connected_accounts: Record<string, unknown>
  /** Whether and how users connect accounts. */
  manage_connections: {
    /** Whether the session has a tool with which users connect accounts. */
    enabled: boolean
    /** URL to which the browser returns after connecting. */
    callback_url?: string
    /** Whether the session has a tool that waits until users have connected. */
    enable_wait_for_connections: boolean
    /** Whether users can delete connections with the tool. */
    enable_connection_removal: boolean
  }
  /** Tools by toolkit slug. */
  tools: Record<string, {
    /** Values that are enabled. */
    enabled?: string[]
    /** Values that are disabled. */
    disabled?: string[]
    /** Tags of the tools. */
    tags?: {
      /** Values that are enabled. */
      enabled?: string[]
      /** Values that are disabled. */
      disabled?: string[]
      /** Tags of tools whose calls need an approval. */
      require_approval?: string[]
    }
  }>
  /** Tags of the tools in all toolkits. */
  tags?: {
    /** Values that are enabled. */
    enabled?: string[]
    /** Values that are disabled. */
    disabled?: string[]
    /** Tags of tools whose calls need an approval. */
    require_approval?: string[]
  }
  /** Remote workbench. */
  workbench: {
    /** Whether the session has a remote workbench. */
    enable: boolean
    /** Whether the workbench may send proxy requests. */
    proxy_execution_enabled: boolean
    /** Size in characters above which results are stored in the mount of the session. */
    auto_offload_threshold: number
    /** Size of the sandbox. Default `standard`. */
    sandbox_size: string
  }
  /** Use of several accounts of one toolkit. */
  multi_account: {
    /** Whether a user may use several accounts of one toolkit. */
    enable: boolean
    /** Largest number of accounts for each toolkit. Default 5. */
    max_accounts_per_toolkit: number
    /** Whether calls have to send `account` when there are several. */
    require_explicit_selection: boolean
  }
  /** Tools that are listed next to the meta tools. */
  preload: {
    /** Slugs of tools, or `all`. */
    tools: unknown
  }
  /** Search for tools. */
  search: {
    /** Whether the session has the tools that search. */
    enable: boolean
  }
  /** Execution by meta tools. */
  execute: {
    /** Whether the session has the tool that executes several tools. */
    enable_multi_execute: boolean
  }
  /** Hooks of the session. */
  hooks?: Record<string, unknown>[]
}

export interface Session {
  /** Id of the session, `trs_…`. */
  session_id: string
  /** MCP server of the session. */
  mcp: {
    /** Always `http`: the transport is streamable HTTP. */
    type: "http"
    /** URL of the MCP server of the session. */
    url: string
  }
  /** Slugs of the meta tools of the session. */
  tool_router_tools: ("SERVICE_SEARCH_TOOLS" | "SERVICE_MULTI_EXECUTE_TOOL" | "SERVICE_MANAGE_CONNECTIONS" | "SERVICE_WAIT_FOR_CONNECTIONS" | "SERVICE_REMOTE_WORKBENCH" | "SERVICE_REMOTE_BASH_TOOL" | "SERVICE_GET_TOOL_SCHEMAS" | "SERVICE_UPSERT_RECIPE" | "SERVICE_GET_RECIPE")[]
  config: SessionConfig
  /** Version of the configuration, from 1. Each change adds 1. */
  config_version: number
  /** Problems of the configuration that do not prevent the session. */
  warnings: {
    /** Code of the warning. */
    code: string
    /** Warning in plain text. */
    message: string
  }[]
  /** Experimental fields. */
  experimental?: {
    /** System prompt for the language model. Only in the response that creates the session. */
    assistive_prompt?: string
    /** Permissions of tools, as they were configured. */
    permissions?: Record<string, unknown>
    /** Saved configuration that the session was opened with. */
    source_session_config?: {
      /** Id of the saved configuration, `sc_…`. */
      id: string
    }
    /** Tools of the request that run in the process of the caller. */
    custom_tools?: ({
      /** Slug under which the tool is called in the session. */
      slug: string
      /** Slug that the request gave. */
      original_slug: string
      /** Display name. */
      name: string
      /** Description for the language model. */
      description: string
      /** JSON Schema of the arguments. */
      input_schema: Record<string, unknown>
    } & Record<string, unknown>)[]
    /** Groups of tools of the request that run in the process of the caller. */
    custom_toolkits?: ({
      /** Slug of the group. */
      slug: string
      /** Display name. */
      name: string
      /** Description for the language model. */
      description: string
      /** Tools of the group. */
      tools: ({
        /** Slug under which the tool is called in the session. */
        slug: string
        /** Slug that the request gave. */
        original_slug: string
        /** Display name. */
        name: string
        /** Description for the language model. */
        description: string
        /** JSON Schema of the arguments. */
        input_schema: Record<string, unknown>
      } & Record<string, unknown>)[]
    } & Record<string, unknown>)[]
  }
}

export interface SavedSessionConfig {
  /** Id of the saved configuration, `sc_…`. */
  id: string
  /** Name, unique in the project. At most 128 characters. */
  name: string
  /** Description. At most 1024 characters. */
  description: string
  /** Whether the configuration is archived. Archived ones cannot open sessions. */
  archived: boolean
  /** When the configuration was saved. */
  created_at: string
  /** When the configuration was last changed. */
  updated_at: string
  /** The saved filters. */
  config: {
    /** Toolkits that sessions see. */
    toolkits?: {
      /** Values that are enabled. */
      enable?: string[]
      /** Values that are disabled. */
      disable?: string[]
    }
    /** Tools that sessions see, by toolkit. */
    tools?: Record<string, {
      /** Values that are enabled. */
      enable?: string[]
      /** Values that are disabled. */
      disable?: string[]
      /** Tags of the tools that sessions see. */
      tags?: {
        /** Values that are enabled. */
        enable?: string[]
        /** Values that are disabled. */
        disable?: string[]
        /** Tags of tools whose calls need an approval. */
        require_approval?: string[]
      }
    }>
    /** Tags of the tools that sessions see. */
    tags?: {
      /** Values that are enabled. */
      enable?: string[]
      /** Values that are disabled. */
      disable?: string[]
      /** Tags of tools whose calls need an approval. */
      require_approval?: string[]
    }
  }
}

export interface StoredMemory {
  /** Id of the memory, `mem_…`. */
  id: string
  /** The user to whom the memory belongs. */
  user_id: string
  /** The toolkit that the sentences are about. */
  toolkit: string
  /** What agents noted, oldest first: ids, names, habits. */
  sentences: string[]
  /** Whether a session that had read content of other people wrote some of it. */
  is_untrusted: boolean
  /** When the last sentence was noted. */
  updated_at: string
}

export interface StoredRecipe {
  /** Id of the recipe, `rcp_…`. */
  id: string
  /** The user to whom the recipe belongs. */
  user_id: string
  /** Slug of the recipe. */
  recipe_slug: string
  /** Slug under which sessions of the user call the recipe as a tool. */
  tool_slug: string
  /** Name of the recipe. */
  name: string
  /** What the recipe does. */
  description: string
  /** Number of the current version, from 1 on. */
  version: number
  /** When the recipe was first saved. */
  created_at: string
  /** When the current version was saved. */
  updated_at: string
}

export interface SessionSummary {
  /** Id of the session, `trs_…`. */
  session_id: string
  /** Id of the user that the session acts for. */
  user_id: string
  /** URL of the session for MCP clients. */
  mcp_url: string
  /** Version of the configuration. */
  config_version: number
  /** When the session was created. */
  created_at: string
  /** When the current configuration was set. */
  configured_at: string
  /** When the session was last used, accurate to an hour. */
  last_used_at: string
}

export interface WebhookSubscription {
  /** Id of the webhook subscription, `ws_…`. */
  id: string
  /** URL to which events are delivered. */
  webhook_url: string
  /** Format of the payload. */
  version: "V1" | "V2" | "V3"
  /** Types of the events that are delivered. */
  enabled_events: ("service.trigger.message" | "service.connected_account.active" | "service.connected_account.failed" | "service.connected_account.deleted" | "service.connected_account.expired" | "service.webhook.disabled" | "service.trigger.disabled" | "service.approval.requested" | "service.approval.decided" | "service.budget.threshold_reached" | "service.session_hook.before_execute" | "service.session_hook.after_execute")[]
  /** Largest number of concurrent deliveries for each server process. An addition of this server. */
  max_at_once: number
  /** Largest number of deliveries per second over all server processes; null for no limit. An addition of this server. */
  max_per_second: number | null
  /** When the server disabled the subscription; null while it is enabled. */
  disabled_at: string | null
  /** `failing` for five days, `gone` (410), or `incident`; null while it is enabled. A change of the subscription or a successful test enables it again. */
  disabled_reason: string | null
  /** Since when all deliveries fail; null for none. */
  failing_since: string | null
  /** Secret that signs deliveries. Readable when it was created; for keys without restrictions also in v3, and in the response to a change that names `webhook_url`. Otherwise masked. */
  secret: string
  /** Secret with which the receiver signs decisions on approvals. Shown once: by the request that creates a subscription that receives approval requests, or that adds this event. An addition of this server. */
  approval_secret: string | null
  /** Public Ed25519 key that verifies `v1a` signatures: `whpk_` and base64; null without `asymmetric_signatures`. An addition of this server. */
  public_key: string | null
  /** When the subscription was created. */
  created_at: string
  /** When the subscription was last changed. */
  updated_at: string
}

export interface UntrustedSource {
  /** Kind of the content: `mail`, `chat`, `web`, `issues` (also tickets and code), `files`, `social`, `calendar`, `forms`, `stored` for notes and recipes of earlier sessions, `records` for all other applications. */
  category: "mail" | "chat" | "web" | "issues" | "files" | "social" | "calendar" | "forms" | "records" | "stored"
  /** Slug of the toolkit; null for content that no tool returned. */
  toolkit_slug: string | null
  /** Slug of the tool that returned it; null for content of no tool. */
  tool_slug: string | null
  /** Id of the connected account, `ca_…`; null for none. */
  connected_account_id: string | null
  /** Where the content came from, in words; null for tools. */
  note: string | null
  /** Id of the log of the first call that returned it; null for none. */
  log_id: string | null
  /** When the session read such content for the first time. */
  first_read_at: string
}

export interface Approval {
  /** Id of the approval, `apr_…`. */
  id: string
  /** `pending` until a person decides; `used` after the approved call has run; `expired` after `expires_at`. */
  status: "pending" | "approved" | "denied" | "used" | "expired"
  /** Slug of the tool. */
  tool_slug: string
  /** Slug of the toolkit. */
  toolkit_slug: string
  /** Version of the toolkit. */
  version: string
  /** Id of the user that the call is for; null for none. */
  user_id: string | null
  /** Id of the connected account, `ca_…`; null for none. */
  connected_account_id: string | null
  /** Id of the session, `trs_…`; null for calls outside of sessions. */
  session_id: string | null
  /** Messages of the policies that require the approval; null for none. */
  reason: string | null
  /** Ids of the policies that applied, `pol_…`. */
  policy_ids: string[]
  /** Content of other people that the session had read when the approval was requested. Empty unless a policy with `untrusted_content` applied. */
  untrusted_sources: UntrustedSource[]
  /** Decisions that are possible. */
  choices: ("allow_once" | "allow_session" | "deny")[]
  /** When the approval expires without a decision, or if the approved call is not made. */
  expires_at: string
  /** When the approval was requested. */
  created_at: string
  /** When the decision was made; null while it is pending. */
  decided_at: string | null
  /** Who decided: `key:<id>`, `link`, `webhook:<id>` or `session`; null while it is pending. */
  decided_by: string | null
  /** Id of the log of the call that requested the approval; null when that log was removed. */
  log_id: string | null
  /** Id of the log of the call that ran with this approval; null while there is none. */
  used_log_id: string | null
  /** Exact arguments of the call. Null after the approval was used, denied or has expired. */
  arguments: Record<string, unknown>
}

export interface Policy {
  /** Id of the policy, `pol_…`. */
  id: string
  /** Display name of the policy. */
  name: string
  /** Decision. `deny` takes precedence over `ask`, and `ask` over `allow`. */
  outcome: "allow" | "ask" | "deny"
  /** Whether the policy applies. Default true. */
  enabled: boolean
  /** Apply the policy only to calls that no other policy matches. Default false. */
  fallback: boolean
  /** Text for the caller, and for the person who decides; null for none. */
  message: string | null
  /** Whether a policy that asks or denies also applies to proxy requests, which might do the same as a matching tool. Default true. */
  covers_proxy: boolean
  /** Time for a decision, and time in which an approved call must be made, in seconds. Default 600. */
  approval_seconds: number
  /** Whether the caller receives the URL of a page on which a person decides. A person who has the URL can decide, so an agent that can open pages could approve its own calls. Default false: create the link with `approvals.link` and send it to a person. */
  approval_link: boolean
  /** Calls that the policy applies to. */
  when: {
    /** Slugs of tools, current or former. `PROXY_EXECUTE` means proxy requests. */
    tools?: string[]
    /** Slugs of toolkits. */
    toolkits?: string[]
    /** Tools with any of these hints. */
    hints?: ("readOnlyHint" | "createHint" | "updateHint" | "destructiveHint" | "idempotentHint" | "openWorldHint")[]
    /** Ids of the users that calls are for. */
    user_ids?: string[]
    /** Ids of the connected accounts that calls use. */
    connected_account_ids?: string[]
    /** Ids of the sessions that calls are made in. */
    session_ids?: string[]
    /** Whether the tool sends data out or changes something: tools that create, update or delete, and tools that pass their arguments to a server or a search engine of others. */
    sends_data?: boolean
    /** Calls in a session that has read content which other people wrote. Empty: content of any kind. */
    untrusted_content?: {
      /** Only content of these kinds. Default: all. */
      categories?: ("mail" | "chat" | "web" | "issues" | "files" | "social" | "calendar" | "forms" | "records" | "stored")[]
      /** Only content that tools of these toolkits returned. */
      toolkits?: string[]
      /** Ignore calls outside of sessions and MCP servers. Default false: what their caller has read is unknown, so a policy that asks or denies applies to them. */
      traced_only?: boolean
    }
    /** Tests of arguments; all of them must match. */
    arguments?: ({
      /** Path of the argument: `amount`, `message.to`, or `to[].email` for every item of a list. */
      path: string
      /** The argument equals this value. */
      equals?: string | number | boolean
      /** The argument is one of these values. */
      one_of?: (string | number | boolean)[]
      /** The argument contains this text. */
      contains?: string
      /** Whether the argument is present. */
      exists?: boolean
      /** The argument is a number larger than this, or text that holds one. */
      above?: number
      /** The argument is a number smaller than this, or text that holds one. */
      below?: number
      /** At least one recipient is none of these: domains (`example.com`), e-mail addresses, or names as the argument spells them. */
      outside?: string[]
      /** Every recipient is one of these. */
      within?: string[]
    })[]
  }
  /** When the policy was created. */
  created_at: string
  /** When the policy was last changed. */
  updated_at: string
}

export interface Budget {
  /** Id of the budget, `bud_…`. */
  id: string
  /** Display name of the budget. */
  name: string
  /** What the budget counts: `calls` of tools and proxy requests, `bytes` that they sent and received, `model_tokens` of the language model, `sandbox_seconds` in which code of agents ran, or `storage_bytes` of stored files. */
  metric: "calls" | "bytes" | "model_tokens" | "sandbox_seconds" | "storage_bytes"
  /** Whether the amount is for the whole project, or for each user or session on its own. */
  scope: "project" | "user" | "session"
  /** The only user (`user_id`) or session (`trs_…`) of the budget. It then replaces the budget of the same metric, scope and period that is for all of them. Null: every one. */
  subject: string | null
  /** When the count starts again, in UTC. `total`: never. */
  period: "hour" | "day" | "month" | "total"
  /** The largest amount in a period, in the unit of the metric. */
  amount: number
  /** Whether the budget counts and limits. Default true. */
  enabled: boolean
  /** When the budget was created. */
  created_at: string
  /** When the budget was last changed. */
  updated_at: string
}

export interface BudgetUsage {
  /** The user or session; null for the project. */
  subject: string | null
  /** Used in the current period. */
  used: number
  /** Share of the amount that is used, in percent. Above 100 for an overrun. */
  percent: number
}

export interface WebhookEndpoint {
  /** Id of the webhook endpoint, `we_…`. */
  id: string
  /** Slug of the toolkit. */
  toolkit_slug: string
  /** Client id of the OAuth app whose events arrive; null for every app. */
  client_id: string | null
  /** URL to enter in the settings of the app. */
  webhook_url: string
  /** Values of the set-up fields, with secrets masked. Values that the application sent are readable until a delivery was verified with them, so that they can be compared. Null for none. */
  data: Record<string, unknown>
  /** When the endpoint was created. */
  created_at: string
  /** When a delivery was first verified after the last change of the data; null for none. */
  verified_at: string | null
}

export interface TriggerType {
  /** Slug of the trigger type. */
  slug: string
  /** Display name. */
  name: string
  /** Description of the event. */
  description: string
  /** Instructions for the set-up; empty when none are needed. */
  instructions: string
  /** `webhook`: the application sends events. `poll`: the server asks the application at intervals. */
  type: "webhook" | "poll"
  /** Toolkit of the trigger type. */
  toolkit: {
    /** Slug of the toolkit. */
    slug: string
    /** Name of the toolkit. */
    name: string
    /** URL of the logo. */
    logo: string
  }
  /** Configuration. v3: descriptors by field name; v3.1: JSON Schema of an object. */
  config: Record<string, unknown>
  /** Data of an event. v3: descriptors by field name; v3.1: JSON Schema of an object. */
  payload: Record<string, unknown>
  /** Version of the toolkit, `YYYYMMDD_NN`. */
  version: string
  /** Versions of the toolkit. */
  available_versions: string[]
  /** Whether a webhook endpoint has to be set up first. Only in v3.1. */
  requires_webhook_endpoint_setup?: boolean
}

export interface TriggerInstance {
  /** Id of the trigger instance, `ti_…`. */
  id: string
  /** Legacy UUID of the trigger instance. */
  uuid: string
  /** Id of the connected account, `ca_…`. */
  connected_account_id: string
  /** Legacy UUID of the connected account. */
  connected_account_uuid: string
  /** Id of the user that the account belongs to. */
  user_id: string
  /** Slug of the trigger type. */
  trigger_name: string
  /**
   * Deprecated: always empty.
   * @deprecated
   */
  trigger_data: string
  /** Configuration, with defaults filled in. */
  trigger_config: Record<string, unknown>
  /** State of polling. Empty for triggers that do not poll. An addition of this server. */
  state: {
    /** When the next poll is due; null for none. */
    next_run?: string | null
    /** When the last poll ended; null before the first one. */
    last_run?: string | null
    /** When the last successful poll ended; null before the first one. */
    last_ok?: string | null
    /** Number of seconds by which the next poll is late. */
    lag_seconds?: number
    /** Number of failed polls in a row. */
    failures?: number
    /** Whether the last successful poll was much longer ago than the interval. */
    stalled?: boolean
  }
  /** Version of the toolkit. */
  version: string
  /** When the instance was last changed. */
  updated_at: string
  /** When the instance was disabled; null while it is enabled. */
  disabled_at: string | null
  /** `user`, or the reason why the server disabled the instance: `connection_` and the status of the account, or a failure; null while it is enabled. An addition of this server. */
  disabled_reason: "user" | "subscription_auth_failure" | "subscription_refresh_failure" | "polling_failure_in_service_infra" | string | null
  /**
   * Deprecated: use `disabled_at`. Only in v3.
   * @deprecated
   */
  disabledAt?: string | null
  /**
   * Deprecated: use `connected_account_id`. Only in v3.
   * @deprecated
   */
  connectedAccountId?: string
  /**
   * Deprecated: use `trigger_name`. Only in v3.
   * @deprecated
   */
  triggerName?: string
  /**
   * Deprecated: use `updated_at`. Only in v3.
   * @deprecated
   */
  updatedAt?: string
  /**
   * Deprecated: use `trigger_config`. Only in v3.
   * @deprecated
   */
  triggerConfig?: Record<string, unknown>
  /** Deprecated fields of earlier versions. Only in v3. */
  deprecated?: {
    /** When the instance was created. */
    createdAt: string
  }
}

/** The log. */
export interface TriggerLog {
  /** Id of the log, `log_…`. */
  id: string
  /** Id of the connected account, `ca_…`. */
  connectionId: string
  /** Id of the project, `proj_…`. */
  clientId: string
  /** Id of the user. */
  entityId: string
  /** Outcome. */
  status: "success" | "error"
  /** Slug of the toolkit. */
  appName: string
  /** When it happened, in milliseconds since 1970 (UTC). */
  createdAt: number
  /** `event`: something new was published. `failure`: a poll failed. `gap`: events may have been missed. `disabled`, `enabled`: by a user or by the server. */
  type: "event" | "failure" | "gap" | "disabled" | "enabled"
  /** Details. */
  meta: {
    /** Slug of the trigger type. */
    triggerName: string
    /** Legacy UUID of the trigger instance. */
    triggerId: string
    /** Id of the trigger instance, `ti_…`. */
    triggerNanoId: string
    /** Id of the event, `evt_…`; null for none. */
    eventId: string | null
    /** Reason; null for none. */
    message: string | null
    /** Data of the application; null when it is not stored. */
    triggerProviderPayload?: Record<string, unknown>
    /** Data of the event; null for none. */
    triggerClientPayload?: Record<string, unknown>
    /** First 2 KB of the latest response of a receiver; null for none. */
    triggerClientResponse?: string | null
    /** Error of the latest delivery; null for none. */
    triggerClientError?: string | null
  }
}

export interface AlertRule {
  /** Id of the alert rule, `alr_…`. */
  id: string
  /** Name for people. */
  name: string
  /** What is measured. `account_expired`: connected accounts that are EXPIRED. `trigger_stalled`: triggers that are polled late or were disabled by the server. `webhook_failing`: webhook subscriptions whose deliveries fail or that were disabled. `error_rate`: failed executions in percent. `key_leaked`: API keys of the project that were found in public and revoked. */
  condition: "account_expired" | "trigger_stalled" | "webhook_failing" | "error_rate" | "key_leaked"
  /** The alert fires from this number on. Default 1; for `error_rate` 20, at most 100. */
  threshold: number
  /** For `error_rate` and `key_leaked`: the last minutes that count. Default 15. Fewer than 20 executions fire no alert. */
  window_minutes: number
  /** How people are notified. `email` needs the settings SMTP_URL and SMTP_FROM. */
  channel: "webhook" | "email" | "slack"
  /** The host of the URL, or the email addresses. */
  target: string
  /** Whether the rule is checked, once a minute. */
  is_enabled: boolean
  /** `firing` while the condition holds and people know it. */
  status: "ok" | "firing"
  /** When it began; null for `ok`. */
  firing_since: string | null
  /** The measured value; null before the first check. */
  last_value: number | null
  /** The last check; null for none. */
  checked_at: string | null
  /** Why the last notification was not sent; null if it was. It is repeated. */
  last_error: string | null
  /** When the rule was created. */
  created_at: string
}

export interface UserDeletion {
  /** Id of the deletion, `udl_…`. */
  id: string
  /** `pending` while the background job runs; `failed` after its last attempt. */
  status: "pending" | "done" | "failed"
  /** What was removed so far, by kind, such as `accounts` and `executions`. */
  removed: Record<string, number>
  /** Error of the last attempt; null for none. */
  last_error: string | null
  /** When the deletion was requested. */
  created_at: string
  /** When it ended; null while it runs. */
  finished_at: string | null
}

export interface UserSummary {
  /** Id of the user in your application. */
  user_id: string
  /** Number of connected accounts. */
  accounts: number
  /** Number of connected accounts that are ACTIVE. */
  active_accounts: number
  /** Number of sessions. */
  sessions: number
  /** Number of executions in the last seven days. */
  calls_7d: number
  /** Number of executions that failed in the last seven days. */
  failed_7d: number
  /** Begin of the last execution; null for none. */
  last_call_at: string | null
}

export interface SystemState {
  /** Version of the server. */
  version: string
  /** Version of Node.js. */
  node_version: string
  /** When the process that returned this response started. */
  started_at: string
  /** URL at which browsers and applications reach the server. */
  public_url: string
  /** The database of the server. */
  database: {
    /** Version of PostgreSQL. */
    version: string
    /** Size of the database on disk. */
    size_bytes: number
    /** Time of one small query, in milliseconds. */
    latency_ms: number
  }
  /** What was checked while this response was made. */
  checks: ({
    /** What was checked, such as `database`. */
    name: string
    /** `warn`: works, but should change before production. `fail`: something does not work. */
    status: "ok" | "warn" | "fail"
    /** What was found. */
    detail: string
    /** The next step; null if nothing is wrong. */
    fix: string | null
  })[]
  /** Jobs in the queue, by task. */
  jobs: ({
    /** Name of the task. */
    task: string
    /** Jobs that are due and that no process runs. */
    due: number
    /** Jobs that a process runs now. */
    running: number
    /** Jobs that run later, such as the next attempt after a failure. */
    later: number
    /** Jobs that failed for the last time. They do not run again. */
    failed: number
    /** First line of the latest error; null without one. */
    last_error: string | null
  })[]
  /** Webhook deliveries that are due and not sent yet. */
  waiting_deliveries: number
  /** Every setting of the process that returned this response. */
  settings: ({
    /** Name of the setting, which is an environment variable. */
    name: string
    /** Value as text; null for a secret, and without a value. */
    value: string | null
    /** Whether the setting differs from its default on purpose: it is set. */
    is_set: boolean
    /** Whether the value is never shown. */
    is_secret: boolean
    /** What the setting changes. */
    description: string
  })[]
}

/** The model; null if none is set. */
export type ProjectModel = {
  /** URL of an OpenAI-compatible API, with its version. */
  base_url: string
  /** Name of the model. */
  model: string
  /** Whether a key is stored. It is never returned. */
  has_api_key: boolean
  /** When the model was last changed. */
  updated_at: string
}

/** Request and response of each operation of the API. */
export interface Operations {

  /**
   * Create an alert rule.
   *
   * An extension of this server. Creates a rule that is checked once a minute and notifies people when its condition begins to hold and when it no longer holds. A project has at most 50 rules. The secret with which a webhook is signed (Standard Webhooks) is returned only here.
   *
   * Requires an API key with the permission `webhooks: write`.
   */
  "alerts.create": {
    request: {
      /** Name for people. */
      name: string
      /** What is measured. `account_expired`: connected accounts that are EXPIRED. `trigger_stalled`: triggers that are polled late or were disabled by the server. `webhook_failing`: webhook subscriptions whose deliveries fail or that were disabled. `error_rate`: failed executions in percent. `key_leaked`: API keys of the project that were found in public and revoked. */
      condition: "account_expired" | "trigger_stalled" | "webhook_failing" | "error_rate" | "key_leaked"
      /** The alert fires from this number on. Default 1; for `error_rate` 20, at most 100. */
      threshold?: number
      /** For `error_rate` and `key_leaked`: the last minutes that count. Default 15. Fewer than 20 executions fire no alert. */
      window_minutes?: number
      /** How people are notified. `email` needs the settings SMTP_URL and SMTP_FROM. */
      channel: "webhook" | "email" | "slack"
      /** For `webhook` and `slack`: the URL that receives a POST. A secret for Slack, so it is never returned. */
      webhook_url?: string
      /** For `email`: the addresses that receive a message. */
      email_addresses?: string[]
      /** Whether the rule is checked, once a minute. */
      is_enabled?: boolean
    }
    response: {
      /** Id of the alert rule, `alr_…`. */
      id: string
      /** Name for people. */
      name: string
      /** What is measured. `account_expired`: connected accounts that are EXPIRED. `trigger_stalled`: triggers that are polled late or were disabled by the server. `webhook_failing`: webhook subscriptions whose deliveries fail or that were disabled. `error_rate`: failed executions in percent. `key_leaked`: API keys of the project that were found in public and revoked. */
      condition: "account_expired" | "trigger_stalled" | "webhook_failing" | "error_rate" | "key_leaked"
      /** The alert fires from this number on. Default 1; for `error_rate` 20, at most 100. */
      threshold: number
      /** For `error_rate` and `key_leaked`: the last minutes that count. Default 15. Fewer than 20 executions fire no alert. */
      window_minutes: number
      /** How people are notified. `email` needs the settings SMTP_URL and SMTP_FROM. */
      channel: "webhook" | "email" | "slack"
      /** The host of the URL, or the email addresses. */
      target: string
      /** Whether the rule is checked, once a minute. */
      is_enabled: boolean
      /** `firing` while the condition holds and people know it. */
      status: "ok" | "firing"
      /** When it began; null for `ok`. */
      firing_since: string | null
      /** The measured value; null before the first check. */
      last_value: number | null
      /** The last check; null for none. */
      checked_at: string | null
      /** Why the last notification was not sent; null if it was. It is repeated. */
      last_error: string | null
      /** When the rule was created. */
      created_at: string
      /** Secret of a webhook, `whsec_…`; null for other channels. */
      secret: string | null
    }
  }

  /**
   * Delete an alert rule.
   *
   * An extension of this server. Deletes the rule. Nobody is notified of it any more.
   *
   * Requires an API key with the permission `webhooks: write`.
   *
   * The example needs an alert rule.
   */
  "alerts.delete": {
    request: {
      /** Id of the alert rule. */
      id: string
    }
    response: {
      /** Always true: a failure returns an error envelope. */
      success: boolean
    }
  }

  /**
   * List alert rules.
   *
   * An extension of this server. Returns all alert rules of the project, oldest first, with their state.
   *
   * Requires an API key with the permission `webhooks: read`.
   */
  "alerts.list": {
    request: Record<string, never>
    response: {
      /** Alert rules of the project. */
      items: AlertRule[]
    }
  }

  /**
   * Send a test notification of an alert rule.
   *
   * An extension of this server. Sends a notification with `test: true` at once, whatever the condition. Returns whether it was accepted.
   *
   * Requires an API key with the permission `webhooks: write`.
   *
   * The example needs an alert rule.
   */
  "alerts.test": {
    request: {
      /** Id of the alert rule. */
      id: string
    }
    response: {
      /** Whether the receiver accepted it. */
      sent: boolean
      /** Why it was not sent; null if it was. */
      error: string | null
    }
  }

  /**
   * Change an alert rule.
   *
   * An extension of this server. Changes the name, the limits or whether the rule is checked. To change the condition or the channel, create another rule.
   *
   * Requires an API key with the permission `webhooks: write`.
   *
   * The example needs an alert rule.
   */
  "alerts.update": {
    request: {
      /** Id of the alert rule. */
      id: string
      /** Name for people. */
      name?: string
      /** The alert fires from this number on. Default 1; for `error_rate` 20, at most 100. */
      threshold?: number
      /** For `error_rate` and `key_leaked`: the last minutes that count. Default 15. Fewer than 20 executions fire no alert. */
      window_minutes?: number
      /** Whether the rule is checked, once a minute. */
      is_enabled?: boolean
    }
    response: AlertRule
  }

  /**
   * Approve a pending call.
   *
   * Approves a pending call. The next call with exactly the same tool, account and arguments runs, once. With `for_session`, later calls of the tool in the session run too. An approval that is no longer pending returns `Approval_NotPending`.
   *
   * Requires an API key with the permission `approvals: write`.
   *
   * The example needs a pending approval.
   */
  "approvals.approve": {
    request: {
      /** Id of the approval, `apr_…`. */
      approval_id: string
      /** Allow the tool with this account for the rest of the session. Only where `choices` contains `allow_session`. Default false. */
      for_session?: boolean
    }
    response: Approval
  }

  /**
   * List the decisions of policies and people, newest first.
   *
   * Returns a page of the decisions of policies and people, newest first. It is the audit log of approvals.
   *
   * Requires an API key with the permission `approvals: read`.
   */
  "approvals.decisions": {
    request: {
      /** Largest number of items on a page. Default 20; values above 1000 count as 1000. */
      limit?: number
      /** `next_cursor` of the previous page. Omit it for the first page. */
      cursor?: string
    }
    response: {
      /** Items of this page. */
      items: ({
        /** Id of the decision. */
        id: string
        /** What happened: `refused` by a policy, `requested`, `approved`, `denied`, `used`, `restored` when the approved call failed before it was sent, `expired`, `denial_ended`, or `let_by_session` after an approval for the rest of a session. */
        event: "refused" | "requested" | "approved" | "denied" | "used" | "restored" | "expired" | "denial_ended" | "let_by_session"
        /** When it happened. */
        at: string
        /** Id of the approval, `apr_…`; null when a policy decided alone. */
        approval_id: string | null
        /** Ids of the policies that applied, `pol_…`. */
        policy_ids: string[]
        /** Slug of the tool. */
        tool_slug: string
        /** Id of the user that the call is for; null for none. */
        user_id: string | null
        /** Id of the connected account, `ca_…`; null for none. */
        connected_account_id: string | null
        /** Id of the session, `trs_…`; null for calls outside of sessions. */
        session_id: string | null
        /** Who decided: `key:<id>`, `link`, `webhook:<id>` or `session`; null for policies. */
        by: string | null
        /** Id of the log of the call, `log_…`; null when it was removed. */
        log_id: string | null
      })[]
      /** Value of `cursor` for the next page; null on the last page. */
      next_cursor: string | null
      /** Number of pages at this `limit`. */
      total_pages: number
      /** Number of this page, from 1. */
      current_page: number
      /** Number of items on all pages. */
      total_items: number
    }
  }

  /**
   * Deny a pending call.
   *
   * Denies a pending call. Repeating the same call returns the denial until the approval expires.
   *
   * Requires an API key with the permission `approvals: write`.
   *
   * The example needs a pending approval.
   */
  "approvals.deny": {
    request: {
      /** Id of the approval, `apr_…`. */
      approval_id: string
    }
    response: Approval
  }

  /**
   * Create a link to the approval page.
   *
   * Creates a link to a hosted page that shows the call and on which a person decides. Anyone who has the link can decide, until the approval expires.
   *
   * Requires an API key with the permission `approvals: write`.
   *
   * The example needs a pending approval.
   */
  "approvals.link": {
    request: {
      /** Id of the approval, `apr_…`. */
      approval_id: string
    }
    response: {
      /** URL of the page. Anyone who has it can decide. */
      url: string
      /** When the link expires. */
      expires_at: string
    }
  }

  /**
   * List approvals, newest first.
   *
   * Returns a page of approvals, newest first: calls that wait for the decision of a person, and past ones. The arguments are left out; read an approval to see them.
   *
   * Requires an API key with the permission `approvals: read`.
   */
  "approvals.list": {
    request: {
      /** Only approvals with this status. */
      status?: "pending" | "approved" | "denied" | "used" | "expired"
      /** Largest number of items on a page. Default 20; values above 1000 count as 1000. */
      limit?: number
      /** `next_cursor` of the previous page. Omit it for the first page. */
      cursor?: string
    }
    response: {
      /** Items of this page. */
      items: ({
        /** Id of the approval, `apr_…`. */
        id: string
        /** `pending` until a person decides; `used` after the approved call has run; `expired` after `expires_at`. */
        status: "pending" | "approved" | "denied" | "used" | "expired"
        /** Slug of the tool. */
        tool_slug: string
        /** Slug of the toolkit. */
        toolkit_slug: string
        /** Version of the toolkit. */
        version: string
        /** Id of the user that the call is for; null for none. */
        user_id: string | null
        /** Id of the connected account, `ca_…`; null for none. */
        connected_account_id: string | null
        /** Id of the session, `trs_…`; null for calls outside of sessions. */
        session_id: string | null
        /** Messages of the policies that require the approval; null for none. */
        reason: string | null
        /** Ids of the policies that applied, `pol_…`. */
        policy_ids: string[]
        /** Content of other people that the session had read when the approval was requested. Empty unless a policy with `untrusted_content` applied. */
        untrusted_sources: UntrustedSource[]
        /** Decisions that are possible. */
        choices: ("allow_once" | "allow_session" | "deny")[]
        /** When the approval expires without a decision, or if the approved call is not made. */
        expires_at: string
        /** When the approval was requested. */
        created_at: string
        /** When the decision was made; null while it is pending. */
        decided_at: string | null
        /** Who decided: `key:<id>`, `link`, `webhook:<id>` or `session`; null while it is pending. */
        decided_by: string | null
        /** Id of the log of the call that requested the approval; null when that log was removed. */
        log_id: string | null
        /** Id of the log of the call that ran with this approval; null while there is none. */
        used_log_id: string | null
      })[]
      /** Value of `cursor` for the next page; null on the last page. */
      next_cursor: string | null
      /** Number of pages at this `limit`. */
      total_pages: number
      /** Number of this page, from 1. */
      current_page: number
      /** Number of items on all pages. */
      total_items: number
    }
  }

  /**
   * Read an approval, with the exact arguments.
   *
   * Returns one approval with the exact arguments of the call.
   *
   * Requires an API key with the permission `approvals: read`.
   *
   * The example needs an approval.
   */
  "approvals.read": {
    request: {
      /** Id of the approval, `apr_…`. */
      approval_id: string
    }
    response: Approval
  }

  /**
   * Export the audit log of the project.
   *
   * Returns a page of entries as NDJSON or CSV text. Each page that is exported is an entry of the log.
   *
   * Requires an API key with the permission `audit_log: read`.
   */
  "audit.export": {
    request: {
      /** Largest number of items on a page. Default 20; values above 1000 count as 1000. */
      limit?: number
      /** `next_cursor` of the previous page. Omit it for the first page. */
      cursor?: string
      /** Only this operation. */
      action?: string
      /** Only calls of this API key, member or user. */
      actor_id?: string
      /** Only objects of this type. */
      object_type?: string
      /** Only this object. */
      object_id?: string
      /** Only calls that ended this way. */
      outcome?: "success" | "failure" | "unknown"
      /** Only entries from this time on. */
      from?: string
      /** Only entries before this time. */
      to?: string
      /** `ndjson` (default): one JSON object per line, with the text from which the hash is computed. `csv`: RFC 4180, with a header on the first page. */
      format?: "ndjson" | "csv"
    }
    response: {
      /** Format of `content`. */
      format: "ndjson" | "csv"
      /** The entries of this page, newest first. Append pages to make the file. */
      content: string
      /** Value of `cursor` for the next page; null on the last page. */
      next_cursor: string | null
      /** Number of pages at this `limit`. */
      total_pages: number
      /** Number of this page, from 1. */
      current_page: number
      /** Number of items on all pages. */
      total_items: number
    }
  }

  /**
   * Export the audit log of the organization.
   *
   * Returns a page of entries as NDJSON or CSV text. Each page that is exported is an entry of the log.
   *
   * Requires an API key of the organization with the permission `audit_log: read`.
   */
  "audit.exportOrganization": {
    request: {
      /** Largest number of items on a page. Default 20; values above 1000 count as 1000. */
      limit?: number
      /** `next_cursor` of the previous page. Omit it for the first page. */
      cursor?: string
      /** Only this operation. */
      action?: string
      /** Only calls of this API key, member or user. */
      actor_id?: string
      /** Only objects of this type. */
      object_type?: string
      /** Only this object. */
      object_id?: string
      /** Only calls that ended this way. */
      outcome?: "success" | "failure" | "unknown"
      /** Only entries from this time on. */
      from?: string
      /** Only entries before this time. */
      to?: string
      /** `ndjson` (default): one JSON object per line, with the text from which the hash is computed. `csv`: RFC 4180, with a header on the first page. */
      format?: "ndjson" | "csv"
      /** Only entries of this project, `proj_…`. */
      project_id?: string
      /** `organization`: only entries of no project, such as those about members, projects and keys of the organization. Default: `all`. */
      scope?: "all" | "organization"
    }
    response: {
      /** Format of `content`. */
      format: "ndjson" | "csv"
      /** The entries of this page, newest first. Append pages to make the file. */
      content: string
      /** Value of `cursor` for the next page; null on the last page. */
      next_cursor: string | null
      /** Number of pages at this `limit`. */
      total_pages: number
      /** Number of this page, from 1. */
      current_page: number
      /** Number of items on all pages. */
      total_items: number
    }
  }

  /**
   * List the audit log of the project.
   *
   * Returns a page of entries, newest first. Every management call, every read of a secret in clear and every export has one entry, with its caller and its changes. Executions of tools are in the logs.
   *
   * Requires an API key with the permission `audit_log: read`.
   */
  "audit.list": {
    request: {
      /** Largest number of items on a page. Default 20; values above 1000 count as 1000. */
      limit?: number
      /** `next_cursor` of the previous page. Omit it for the first page. */
      cursor?: string
      /** Only this operation. */
      action?: string
      /** Only calls of this API key, member or user. */
      actor_id?: string
      /** Only objects of this type. */
      object_type?: string
      /** Only this object. */
      object_id?: string
      /** Only calls that ended this way. */
      outcome?: "success" | "failure" | "unknown"
      /** Only entries from this time on. */
      from?: string
      /** Only entries before this time. */
      to?: string
    }
    response: {
      /** Items of this page. */
      items: AuditEntry[]
      /** Value of `cursor` for the next page; null on the last page. */
      next_cursor: string | null
      /** Number of pages at this `limit`. */
      total_pages: number
      /** Number of this page, from 1. */
      current_page: number
      /** Number of items on all pages. */
      total_items: number
    }
  }

  /**
   * List the audit log of the organization.
   *
   * Returns a page of entries, newest first. Every management call, every read of a secret in clear and every export has one entry, with its caller and its changes. Executions of tools are in the logs. Entries of all projects are included.
   *
   * Requires an API key of the organization with the permission `audit_log: read`.
   */
  "audit.listOrganization": {
    request: {
      /** Largest number of items on a page. Default 20; values above 1000 count as 1000. */
      limit?: number
      /** `next_cursor` of the previous page. Omit it for the first page. */
      cursor?: string
      /** Only this operation. */
      action?: string
      /** Only calls of this API key, member or user. */
      actor_id?: string
      /** Only objects of this type. */
      object_type?: string
      /** Only this object. */
      object_id?: string
      /** Only calls that ended this way. */
      outcome?: "success" | "failure" | "unknown"
      /** Only entries from this time on. */
      from?: string
      /** Only entries before this time. */
      to?: string
      /** Only entries of this project, `proj_…`. */
      project_id?: string
      /** `organization`: only entries of no project, such as those about members, projects and keys of the organization. Default: `all`. */
      scope?: "all" | "organization"
    }
    response: {
      /** Items of this page. */
      items: AuditEntry[]
      /** Value of `cursor` for the next page; null on the last page. */
      next_cursor: string | null
      /** Number of pages at this `limit`. */
      total_pages: number
      /** Number of this page, from 1. */
      current_page: number
      /** Number of items on all pages. */
      total_items: number
    }
  }

  /**
   * Verify the audit log of the project.
   *
   * Computes all hashes again and compares them with the stored ones: an entry that was changed, removed or inserted is reported. Takes about a second per 50,000 entries.
   *
   * Requires an API key with the permission `audit_log: read`.
   */
  "audit.verify": {
    request: Record<string, never>
    response: {
      /** Whether every chain is complete and unchanged. */
      valid: boolean
      /** The chains, at most one per project and one of the organization. */
      chains: ({
        /** Id of the project or organization. */
        chain: string
        /** Number of entries that were checked. */
        entries: number
        /** The newest entry. Store a copy elsewhere to detect that a whole chain was replaced. */
        head: {
          /** Number of the newest entry. */
          seq: number
          /** Its hash, as hex. */
          hash: string
        }
        /** The first problem; null if there is none. */
        problem: {
          /** Id of the chain. */
          chain: string
          /** Number of the entry. */
          seq: number
          /** `columns_changed`: the columns for filters differ from the entry. `head_changed`: the end of the chain differs from its newest entry. */
          problem: "entry_missing" | "entry_changed" | "columns_changed" | "head_changed"
        }
      })[]
    }
  }

  /**
   * Verify the audit log of the organization.
   *
   * Computes all hashes again and compares them with the stored ones: an entry that was changed, removed or inserted is reported. Takes about a second per 50,000 entries. The chains of all projects are included.
   *
   * Requires an API key of the organization with the permission `audit_log: read`.
   */
  "audit.verifyOrganization": {
    request: Record<string, never>
    response: {
      /** Whether every chain is complete and unchanged. */
      valid: boolean
      /** The chains, at most one per project and one of the organization. */
      chains: ({
        /** Id of the project or organization. */
        chain: string
        /** Number of entries that were checked. */
        entries: number
        /** The newest entry. Store a copy elsewhere to detect that a whole chain was replaced. */
        head: {
          /** Number of the newest entry. */
          seq: number
          /** Its hash, as hex. */
          hash: string
        }
        /** The first problem; null if there is none. */
        problem: {
          /** Id of the chain. */
          chain: string
          /** Number of the entry. */
          seq: number
          /** `columns_changed`: the columns for filters differ from the entry. `head_changed`: the end of the chain differs from its newest entry. */
          problem: "entry_missing" | "entry_changed" | "columns_changed" | "head_changed"
        }
      })[]
    }
  }

  /**
   * Define how users authenticate with a toolkit.
   *
   * Creates an auth config: how users authenticate with one toolkit. Each call creates a new one; a toolkit may have several. Toolkits without authentication need none and return `Auth_Config_NoAuthApp`.
   *
   * Requires an API key with the permission `auth_configs: write`.
   */
  "authConfigs.create": {
    request: {
      /** Toolkit of the auth config. */
      toolkit: {
        /** Slug of the toolkit. */
        slug: string
      }
      /** Configuration of the credentials. Default: managed credentials of the server. */
      auth_config?: {
        /** The server uses credentials that its administrator configured for the toolkit. */
        type: "use_service_managed_auth"
        /** Display name, up to 128 characters. Default: the toolkit slug and a random suffix. */
        name?: string
        /** Credentials of the application by field name, such as `client_id`, `client_secret` and `scopes`. The toolkit lists them in `auth_config_details[].fields.auth_config_creation`. */
        credentials?: Record<string, string | number | boolean | null | unknown[] | Record<string, unknown>>
        /**
         * Deprecated: use `tool_access_config.tools_available_for_execution`. Slugs of the tools that may be executed.
         * @deprecated
         */
        restrict_to_following_tools?: string[]
        /** Values that all connections of this auth config share, by field name. Users are not asked for them. */
        shared_credentials?: Record<string, unknown>
        /** Whether sessions may select this auth config automatically. Default true. */
        is_enabled_for_tool_router?: boolean
        /** Restrictions on tools. */
        tool_access_config?: {
          /** Tool slugs. For OAuth, the scopes that these tools need replace the scopes of the auth config. */
          tools_for_connected_account_creation?: string[]
          /** Slugs of the tools that may be executed. Empty: every tool of the toolkit. */
          tools_available_for_execution?: string[]
        }
      } | {
        /** The project brings its own credentials. */
        type: "use_custom_auth"
        /** Authentication scheme, in any letter case: one of the modes in `auth_config_details` of the toolkit. */
        authScheme: string
        /** Display name, up to 128 characters. Default: the toolkit slug and a random suffix. */
        name?: string
        /** Credentials of the application by field name, such as `client_id`, `client_secret` and `scopes`. The toolkit lists them in `auth_config_details[].fields.auth_config_creation`. */
        credentials?: Record<string, string | number | boolean | null | unknown[] | Record<string, unknown>>
        /**
         * Deprecated: use `tool_access_config.tools_available_for_execution`. Slugs of the tools that may be executed.
         * @deprecated
         */
        restrict_to_following_tools?: string[]
        /** Values that all connections of this auth config share, by field name. Users are not asked for them. */
        shared_credentials?: Record<string, unknown>
        /** Whether sessions may select this auth config automatically. Default true. */
        is_enabled_for_tool_router?: boolean
        /** Restrictions on tools. */
        tool_access_config?: {
          /** Tool slugs. For OAuth, the scopes that these tools need replace the scopes of the auth config. */
          tools_for_connected_account_creation?: string[]
          /** Slugs of the tools that may be executed. Empty: every tool of the toolkit. */
          tools_available_for_execution?: string[]
        }
        /** Proxy for requests to the application; null for none. */
        proxy_config?: {
          /** URL of the proxy through which all requests to the application are sent. */
          proxy_url: string
          /** Key that the proxy requires. */
          proxy_auth_key?: string
        }
      }
    }
    response: {
      /** Toolkit of the auth config. */
      toolkit: {
        /** Slug of the toolkit. */
        slug: string
      }
      /** The new auth config. */
      auth_config: {
        /** Id of the auth config, `ac_…`. */
        id: string
        /** Authentication scheme, in upper case. */
        auth_scheme: string
        /** Whether the credentials are the managed ones of the server. */
        is_service_managed: boolean
        /**
         * Deprecated: slugs of the tools that may be executed.
         * @deprecated
         */
        restrict_to_following_tools: string[]
      }
    }
  }

  /**
   * Delete an auth config; its connections can no longer execute.
   *
   * Deletes an auth config. Its connected accounts can no longer execute tools, and their triggers stop: webhooks at the application are removed within eight seconds, as far as it responds. Tokens at the provider stay valid unless `revoke_on_delete` is true.
   *
   * Requires an API key with the permission `auth_configs: write`.
   *
   * The example needs an auth config.
   */
  "authConfigs.delete": {
    request: {
      /** Id of the auth config, `ac_…`. */
      nanoid: string
      /** Also revoke the access of the connected accounts at the provider. This continues after the response. Default false. */
      revoke_on_delete?: boolean
    }
    response: {
      /** Id of the revocation job, when `revoke_on_delete` is true. */
      revoke_job_id?: string
    }
  }

  /**
   * List auth configs, newest first.
   *
   * Returns a page of the auth configs of the project, newest first. Disabled auth configs are left out unless `show_disabled` is true. Secrets are masked.
   *
   * Requires an API key with the permission `auth_configs: read`.
   */
  "authConfigs.list": {
    request: {
      /** Only auth configs with managed credentials (true) or with credentials of the project (false). */
      is_service_managed?: boolean
      /** Slugs of toolkits; auth configs of any of them. */
      toolkit_slug?: string[]
      /** Include disabled auth configs. Default false. */
      show_disabled?: boolean
      /** Part of the name, or in v3.1 of the id, in any letter case. */
      search?: string
      /**
       * Deprecated: legacy UUID of the toolkit. Use `toolkit_slug`.
       * @deprecated
       */
      deprecated_app_id?: string
      /**
       * Deprecated: `ENABLED` or `DISABLED`. Use `show_disabled`.
       * @deprecated
       */
      deprecated_status?: string
      /** Largest number of items on a page. Default 20; values above 1000 count as 1000. */
      limit?: number
      /** `next_cursor` of the previous page. Omit it for the first page. */
      cursor?: string
    }
    response: {
      /** Items of this page. */
      items: AuthConfig[]
      /** Value of `cursor` for the next page; null on the last page. */
      next_cursor: string | null
      /** Number of pages at this `limit`. */
      total_pages: number
      /** Number of this page, from 1. */
      current_page: number
      /** Number of items on all pages. */
      total_items: number
    }
  }

  /**
   * Read one auth config.
   *
   * Returns one auth config. Secrets are masked.
   *
   * Requires an API key with the permission `auth_configs: read`.
   *
   * The example needs an auth config.
   */
  "authConfigs.read": {
    request: {
      /** Id of the auth config, `ac_…`. */
      nanoid: string
    }
    response: AuthConfig
  }

  /**
   * Enable or disable an auth config.
   *
   * Enables or disables an auth config. A disabled one accepts no new connections, and its accounts cannot execute tools until it is enabled again. Setting the current status changes nothing and succeeds.
   *
   * Requires an API key with the permission `auth_configs: write`.
   *
   * The example needs an auth config.
   */
  "authConfigs.setStatus": {
    request: {
      /** Id of the auth config, `ac_…`. */
      nanoid: string
      /** New status. */
      status: "ENABLED" | "DISABLED"
    }
    response: Record<string, unknown>
  }

  /**
   * Change parts of an auth config.
   *
   * Changes the fields that the body contains; all others stay as they are. Existing connections keep their scopes until their users connect again. Returns an empty object.
   *
   * Requires an API key with the permission `auth_configs: write`.
   *
   * The example needs an auth config.
   */
  "authConfigs.update": {
    request: {
      /** Id of the auth config, `ac_…`. */
      nanoid: string
      /** Type of the auth config. It cannot be changed and must equal the stored one. */
      type?: "custom" | "default"
      /** New display name. */
      name?: string
      /** Credentials to change, by field name. Other credentials stay as they are; masked values are ignored. */
      credentials?: Record<string, string | number | boolean | null | unknown[] | Record<string, unknown>>
      /** OAuth scopes, as a list or as text separated by commas or spaces. */
      scopes?: string | string[]
      /** OAuth scopes of the user token, for applications with two tokens such as Slack. */
      user_scopes?: string | string[]
      /** Proxy for requests to the application; null removes it. */
      proxy_config?: {
        /** URL of the proxy through which all requests to the application are sent. */
        proxy_url: string
        /** Key that the proxy requires. */
        proxy_auth_key?: string
      }
      /** Restrictions on tools. A list that is left out stays as it is; an empty list clears it. */
      tool_access_config?: {
        /** Tool slugs. For OAuth, the scopes that these tools need replace the scopes of the auth config. */
        tools_for_connected_account_creation?: string[]
        /** Slugs of the tools that may be executed. Empty: every tool of the toolkit. */
        tools_available_for_execution?: string[]
      }
      /**
       * Deprecated: use `tool_access_config.tools_available_for_execution`.
       * @deprecated
       */
      restrict_to_following_tools?: string[]
      /** Values that all connections share, by field name. */
      shared_credentials?: Record<string, unknown>
      /** Whether sessions may select this auth config automatically. */
      is_enabled_for_tool_router?: boolean
      /** The same fields, one level deeper. Both forms are accepted. */
      auth_config?: {
        /** Type of the auth config. It cannot be changed and must equal the stored one. */
        type?: "custom" | "default"
        /** New display name. */
        name?: string
        /** Credentials to change, by field name. Other credentials stay as they are; masked values are ignored. */
        credentials?: Record<string, string | number | boolean | null | unknown[] | Record<string, unknown>>
        /** OAuth scopes, as a list or as text separated by commas or spaces. */
        scopes?: string | string[]
        /** OAuth scopes of the user token, for applications with two tokens such as Slack. */
        user_scopes?: string | string[]
        /** Proxy for requests to the application; null removes it. */
        proxy_config?: {
          /** URL of the proxy through which all requests to the application are sent. */
          proxy_url: string
          /** Key that the proxy requires. */
          proxy_auth_key?: string
        }
        /** Restrictions on tools. A list that is left out stays as it is; an empty list clears it. */
        tool_access_config?: {
          /** Tool slugs. For OAuth, the scopes that these tools need replace the scopes of the auth config. */
          tools_for_connected_account_creation?: string[]
          /** Slugs of the tools that may be executed. Empty: every tool of the toolkit. */
          tools_available_for_execution?: string[]
        }
        /**
         * Deprecated: use `tool_access_config.tools_available_for_execution`.
         * @deprecated
         */
        restrict_to_following_tools?: string[]
        /** Values that all connections share, by field name. */
        shared_credentials?: Record<string, unknown>
        /** Whether sessions may select this auth config automatically. */
        is_enabled_for_tool_router?: boolean
      }
    }
    response: Record<string, unknown>
  }

  /**
   * Create a budget.
   *
   * An extension of this server. Limits what the project, each of its users or each of its sessions may use in a period. At 80 % and at 100 %, an event is published; beyond the amount, calls return 429 `Budget_Exceeded`. `calls` are counted exactly before they are made. The other metrics are known afterwards: what is in progress when the amount is reached still ends. A project may have 100 budgets.
   *
   * Requires an API key without restrictions.
   */
  "budgets.create": {
    request: {
      /** Display name of the budget. */
      name: string
      /** What the budget counts: `calls` of tools and proxy requests, `bytes` that they sent and received, `model_tokens` of the language model, `sandbox_seconds` in which code of agents ran, or `storage_bytes` of stored files. */
      metric: "calls" | "bytes" | "model_tokens" | "sandbox_seconds" | "storage_bytes"
      /** Whether the amount is for the whole project, or for each user or session on its own. */
      scope: "project" | "user" | "session"
      /** When the count starts again, in UTC. `total`: never. */
      period: "hour" | "day" | "month" | "total"
      /** The largest amount in a period, in the unit of the metric. */
      amount: number
      /** The only user (`user_id`) or session (`trs_…`) of the budget. It then replaces the budget of the same metric, scope and period that is for all of them. Null: every one. */
      subject?: string | null
      /** Whether the budget counts and limits. Default true. */
      enabled?: boolean
    }
    response: Budget
  }

  /**
   * Delete a budget.
   *
   * An extension of this server. Deletes a budget and its counts. It no longer limits any call.
   *
   * Requires an API key without restrictions.
   *
   * The example needs a budget.
   */
  "budgets.delete": {
    request: {
      /** Id of the budget, `bud_…`. */
      budget_id: string
    }
    response: {
      /** Always true: a failure returns an error envelope. */
      success: boolean
    }
  }

  /**
   * List budgets, oldest first.
   *
   * An extension of this server. Returns a page of the budgets of the project, oldest first.
   *
   * Requires an API key without restrictions.
   */
  "budgets.list": {
    request: {
      /** Largest number of items on a page. Default 20; values above 1000 count as 1000. */
      limit?: number
      /** `next_cursor` of the previous page. Omit it for the first page. */
      cursor?: string
    }
    response: {
      /** Items of this page. */
      items: Budget[]
      /** Value of `cursor` for the next page; null on the last page. */
      next_cursor: string | null
      /** Number of pages at this `limit`. */
      total_pages: number
      /** Number of this page, from 1. */
      current_page: number
      /** Number of items on all pages. */
      total_items: number
    }
  }

  /**
   * Read a budget and what is used of it.
   *
   * An extension of this server. Returns a budget, and the 100 users or sessions that used most of it in the current period.
   *
   * Requires an API key without restrictions.
   *
   * The example needs a budget.
   */
  "budgets.read": {
    request: {
      /** Id of the budget, `bud_…`. */
      budget_id: string
    }
    response: {
      /** Id of the budget, `bud_…`. */
      id: string
      /** Display name of the budget. */
      name: string
      /** What the budget counts: `calls` of tools and proxy requests, `bytes` that they sent and received, `model_tokens` of the language model, `sandbox_seconds` in which code of agents ran, or `storage_bytes` of stored files. */
      metric: "calls" | "bytes" | "model_tokens" | "sandbox_seconds" | "storage_bytes"
      /** Whether the amount is for the whole project, or for each user or session on its own. */
      scope: "project" | "user" | "session"
      /** The only user (`user_id`) or session (`trs_…`) of the budget. It then replaces the budget of the same metric, scope and period that is for all of them. Null: every one. */
      subject: string | null
      /** When the count starts again, in UTC. `total`: never. */
      period: "hour" | "day" | "month" | "total"
      /** The largest amount in a period, in the unit of the metric. */
      amount: number
      /** Whether the budget counts and limits. Default true. */
      enabled: boolean
      /** When the budget was created. */
      created_at: string
      /** When the budget was last changed. */
      updated_at: string
      /** Begin of the current period; 1970 for `total`. */
      period_start: string
      /** When the count starts again; null for `total`. */
      period_end: string | null
      /** What is used in the current period, largest first. */
      usage: BudgetUsage[]
    }
  }

  /**
   * Change a budget.
   *
   * An extension of this server. Changes the name or the amount, or switches the budget off and on. It applies to the next call; what is used stays counted.
   *
   * Requires an API key without restrictions.
   *
   * The example needs a budget.
   */
  "budgets.update": {
    request: {
      /** Id of the budget, `bud_…`. */
      budget_id: string
      /** Display name of the budget. */
      name?: string
      /** The largest amount in a period, in the unit of the metric. */
      amount?: number
      /** Whether the budget counts and limits. Default true. */
      enabled?: boolean
    }
    response: Budget
  }

  /**
   * Confirm who completed a connection.
   *
   * Confirms that the user who completed a connection is the signed-in user of your application. It is needed only when the project has an `identity_verification_url`. The session is valid for ten minutes and for one confirmation; another user sets the account FAILED.
   *
   * Requires an API key with the permission `connected_accounts: write`.
   *
   * The example needs a connection that waits for its confirmation.
   */
  "connectedAccounts.completeAuth": {
    request: {
      /** Value of `session_uri` with which the browser reached the project’s `identity_verification_url`. */
      session_uri: string
      /** Id of the signed-in user of your application. It must be the user of the connection. */
      user_id: string
    }
    response: {
      /** Id of the account that is now ACTIVE, `ca_…`. */
      connected_account_id: string
      /** Slug of its toolkit. */
      toolkit_slug: string
    }
  }

  /**
   * Connect an account, or start connecting it.
   *
   * Connects an account with credentials that you have, or starts an OAuth flow. Schemes without a browser make the account ACTIVE at once. For the others, open `redirect_url` in the browser of the user within ten minutes. Users who should enter credentials themselves get a hosted page from `POST /connected_accounts/link`.
   *
   * Requires an API key with the permission `connected_accounts: write`.
   *
   * The example needs an auth config.
   */
  "connectedAccounts.create": {
    request: {
      /** Auth config to connect with. */
      auth_config: {
        /** Id of the auth config, `ac_…`. */
        id: string
      }
      /** The new connection. */
      connection: {
        /** Id of the user that the account belongs to, chosen by your application. Default: `default`. */
        user_id?: string
        /** Credentials that the user supplies. Required for schemes without a browser. */
        state?: {
          /** Authentication scheme, in any letter case. It must be the scheme of the auth config. */
          authScheme: string
          /** Credentials and other values of the connection by field name, such as `token` or `subdomain`. The toolkit lists them in `auth_config_details[].fields.connected_account_initiation`. */
          val: Record<string, unknown>
        }
        /**
         * Deprecated: use `state.val`.
         * @deprecated
         */
        data?: Record<string, unknown>
        /** URL to which the browser returns afterwards, with `status` and `connected_account_id` in the query. */
        callback_url?: string
        /**
         * Deprecated: use `callback_url`.
         * @deprecated
         */
        redirect_uri?: string
        /** Name for the account, unique for the user and toolkit. At most 128 characters. */
        alias?: string
        /**
         * Deprecated: accepted and ignored.
         * @deprecated
         */
        deprecated_is_v1_rerouted?: boolean
        /** Sharing of the account. Experimental. */
        experimental?: {
          /** `PRIVATE` (default): only the user of the account may use it. `SHARED`: the access list decides. */
          account_type?: "PRIVATE" | "SHARED"
          /** Access list. It is only valid for SHARED accounts. */
          acl_config_for_shared?: {
            /** Whether every user of the project may use the account. Default false. */
            allow_all_users?: boolean
            /** Users who may use the account. At most 1000. */
            allowed_user_ids?: string[]
            /** Users who may not use the account; this list is checked first. At most 1000. */
            not_allowed_user_ids?: string[]
          }
        }
      }
      /** true: reject the credentials unless a test request with them succeeds; API-key schemes only. false: store them untried. Without the field they are tried if the toolkit can do that, and only credentials that the application rejects are an error. */
      validate_credentials?: boolean
    }
    response: {
      /** Id of the connected account, `ca_…`. */
      id: string
      /** Status of the account: `ACTIVE` when no browser is needed. */
      status: "INITIALIZING" | "INITIATED" | "ACTIVE" | "FAILED" | "EXPIRED" | "INACTIVE" | "REVOKED"
      /** URL to open in the browser of the user; null when none is needed. */
      redirect_url: string | null
      /**
       * Deprecated: the same as `redirect_url`.
       * @deprecated
       */
      redirect_uri: string | null
      /** Whether the application accepted the credentials before this response. False if the toolkit cannot try them, if the application did not respond, and until a user has granted access. An addition of this server. */
      verified: boolean
      /** Authentication scheme and values of the connection. */
      connectionData: {
        /** Authentication scheme, in upper case. */
        authScheme: string
        /** Credentials and other values by field name, with `status`. Secrets are masked. */
        val: Record<string, unknown>
      }
      /** Deprecated fields of earlier versions. */
      deprecated: {
        /**
         * Deprecated: legacy UUID of the account.
         * @deprecated
         */
        uuid: string
        /**
         * Deprecated: legacy UUID of the auth config.
         * @deprecated
         */
        authConfigUuid: string
      }
    }
  }

  /**
   * Delete a connected account.
   *
   * Deletes a connected account and its trigger instances. Later calls return 404; the record stays in the database for audits. Tokens at the provider stay valid unless `revoke_on_delete` is true.
   *
   * Requires an API key with the permission `connected_accounts: write`.
   *
   * The example needs a connected account.
   */
  "connectedAccounts.delete": {
    request: {
      /** Id of the connected account, `ca_…`. */
      nanoid: string
      /** Also revoke the access at the provider. This continues after the response. Default false. */
      revoke_on_delete?: boolean
    }
    response: {
      /** Always true: a failure returns an error envelope. */
      success: boolean
      /** Id of the revocation job, when `revoke_on_delete` is true. */
      revoke_job_id?: string
    }
  }

  /**
   * List the provider requests of a connected account.
   *
   * Returns the latest requests between the server and the provider for one account, such as token exchanges and refreshes, with secrets redacted. `findings` names likely causes of a failed connection. `patchbay doctor connection` prints the same.
   *
   * Requires an API key with the permission `connected_accounts: read`.
   *
   * The example needs a connected account.
   */
  "connectedAccounts.exchanges": {
    request: {
      /** Id of the connected account, `ca_…`. */
      nanoid: string
    }
    response: {
      /** The account. */
      account: {
        /** Id of the connected account, `ca_…`. */
        id: string
        /** Status of the account. */
        status: "INITIALIZING" | "INITIATED" | "ACTIVE" | "FAILED" | "EXPIRED" | "INACTIVE" | "REVOKED"
        /** Reason for the status; null when there is none. */
        status_reason: string | null
        /** Toolkit of the account. */
        toolkit: {
          /** Slug of the toolkit. */
          slug: string
        }
        /** Id of the user that the account belongs to. */
        user_id: string
        /** Auth config of the account. */
        auth_config: {
          /** Id of the auth config, `ac_…`. */
          id: string
          /** Authentication scheme, in upper case. */
          auth_scheme: string
        }
        /** Account at the provider; null when it is not known. */
        identity: {
          /** Id of the account at the provider; null when it is not known. */
          id: string | null
          /** E-mail address of the account at the provider; null when it is not known. */
          email: string | null
          /** Name of the account at the provider; null when it is not known. */
          name: string | null
          /** Workspace, organization or tenant of the account; null when it is not known. */
          tenant: string | null
          /** Short text that identifies the account to a person. */
          label: string
          /** When the identity was last read from the provider. */
          checked_at: string
          /** Identity before the last authentication, when that one changed it; else null. */
          previous: {
            /** Id of the account at the provider; null when it is not known. */
            id: string | null
            /** E-mail address of the account at the provider; null when it is not known. */
            email: string | null
            /** Name of the account at the provider; null when it is not known. */
            name: string | null
            /** Workspace, organization or tenant of the account; null when it is not known. */
            tenant: string | null
            /** Short text that identifies the account to a person. */
            label: string
          }
        }
        /** When the access token expires; null when that is not known. */
        token_expires_at: string | null
      }
      /** Requests to the provider, newest first. */
      items: ({
        /** When the request was sent. */
        at: string
        /** Purpose of the request: `code` exchanges an authorization code, `refresh` refreshes a token, `probe` tests credentials. */
        kind: "start" | "code" | "refresh" | "sign_in" | "revoke" | "probe" | "follow_up" | "post_connect"
        /** `ok`: accepted. `refused`: rejected by the provider. `trouble`: no usable response. */
        outcome: "ok" | "refused" | "trouble"
        /** Error code of the provider or of the network; null on success. */
        code: string | null
        /** Duration in milliseconds. */
        duration_ms: number
        /** The request, with secrets redacted; null when none was sent. */
        request: Record<string, unknown>
        /** The response, with secrets redacted. */
        answer: Record<string, unknown>
      })[]
      /** Problems that the requests point to. */
      findings: ({
        /** Position in `items` of the request that shows the problem, from 0. */
        exchange: number
        /** The cause, in one sentence. */
        cause: string
        /** Credential field that is the likely cause; null for none. */
        field: string | null
        /** The next step. */
        fix: string
      })[]
    }
  }

  /**
   * List the status changes of a connected account.
   *
   * An extension of this server. Returns when the status of the account changed and why, newest first. Changes are stored for a year.
   *
   * Requires an API key with the permission `connected_accounts: read`.
   *
   * The example needs a connected account.
   */
  "connectedAccounts.history": {
    request: {
      /** Id of the connected account, `ca_…`. */
      nanoid: string
      /** Largest number of items on a page. Default 20; values above 1000 count as 1000. */
      limit?: number
      /** `next_cursor` of the previous page. Omit it for the first page. */
      cursor?: string
    }
    response: {
      /** Changes of this page. */
      items: ({
        /** When the status changed. */
        at: string
        /** Status before; null when the account was created. */
        from: string | null
        /** Status after. */
        to: string
        /** Reason for the status; null when there is none. */
        reason: string | null
      })[]
      /** Value of `cursor` for the next page; null on the last page. */
      next_cursor: string | null
    }
  }

  /**
   * Start connecting on the hosted page.
   *
   * Creates an account with the status INITIALIZING and returns the URL of a hosted page on which the user connects. It works for every scheme: the page redirects to the provider, or asks for the credentials. The link is valid for ten minutes.
   *
   * Requires an API key with the permission `connected_accounts: write`.
   *
   * The example needs an auth config.
   */
  "connectedAccounts.link": {
    request: {
      /** Id of the auth config, `ac_…`. */
      auth_config_id: string
      /** Id of the user that the account will belong to, chosen by your application. */
      user_id: string
      /** URL to which the browser returns afterwards, with `status` and `connected_account_id` in the query. */
      callback_url?: string
      /** Known values of the connection by field name. The page asks the user for the others. */
      connection_data?: Record<string, unknown>
      /** Name for the account, unique for the user and toolkit. At most 128 characters. */
      alias?: string
      /** Sharing of the account. Experimental. */
      experimental?: {
        /** `PRIVATE` (default): only the user of the account may use it. `SHARED`: the access list decides. */
        account_type?: "PRIVATE" | "SHARED"
        /** Access list. It is only valid for SHARED accounts. */
        acl_config_for_shared?: {
          /** Whether every user of the project may use the account. Default false. */
          allow_all_users?: boolean
          /** Users who may use the account. At most 1000. */
          allowed_user_ids?: string[]
          /** Users who may not use the account; this list is checked first. At most 1000. */
          not_allowed_user_ids?: string[]
        }
      }
      /** Further auth configs of the same toolkit, each with another scheme. The page lets the user choose how to sign in; the account then belongs to the chosen one. At most 8. An addition of this server. */
      alternative_auth_config_ids?: string[]
      /** Existing account of this user and auth config to connect again. It keeps its id, and its credentials until the new ones are valid. An addition of this server. */
      connected_account_id?: string
    }
    response: {
      /** Secret of the link, part of `redirect_url`. */
      link_token: string
      /** URL of the hosted page. Open it in the browser of the user. */
      redirect_url: string
      /** When the link expires: ten minutes after its creation. */
      expires_at: string
      /** Id of the connected account, `ca_…`. */
      connected_account_id: string
    }
  }

  /**
   * List connected accounts.
   *
   * Returns a page of the connected accounts of the project. Values inside one filter are alternatives; all filters must match. SHARED accounts are left out unless `account_type` includes them.
   *
   * Requires an API key with the permission `connected_accounts: read`.
   */
  "connectedAccounts.list": {
    request: {
      /** Slugs of toolkits; accounts of any of them. */
      toolkit_slugs?: string[]
      /** Statuses; accounts with any of them. */
      statuses?: ("INITIALIZING" | "INITIATED" | "ACTIVE" | "FAILED" | "EXPIRED" | "INACTIVE" | "REVOKED")[]
      /** Ids of users; accounts of any of them. */
      user_ids?: string[]
      /** Ids of auth configs; accounts of any of them. */
      auth_config_ids?: string[]
      /** Ids of connected accounts. */
      connected_account_ids?: string[]
      /** Field to sort by. Default `created_at`. */
      order_by?: "created_at" | "updated_at"
      /** Sort order. Default `desc`. */
      order_direction?: "asc" | "desc"
      /** `PRIVATE` (default), `SHARED` or `ALL` accounts. */
      account_type?: "PRIVATE" | "SHARED" | "ALL"
      /** Largest number of items on a page. Default 20; values above 1000 count as 1000. */
      limit?: number
      /** `next_cursor` of the previous page. Omit it for the first page. */
      cursor?: string
    }
    response: {
      /** Items of this page. */
      items: ConnectedAccount[]
      /** Value of `cursor` for the next page; null on the last page. */
      next_cursor: string | null
      /** Number of pages at this `limit`. */
      total_pages: number
      /** Number of this page, from 1. */
      current_page: number
      /** Number of items on all pages. */
      total_items: number
    }
  }

  /**
   * Read one connected account.
   *
   * Returns one connected account with its status, its identity at the provider and its masked credentials. Poll it while a user connects: the account is ACTIVE when the connection is complete.
   *
   * Requires an API key with the permission `connected_accounts: read`.
   *
   * The example needs a connected account.
   */
  "connectedAccounts.read": {
    request: {
      /** Id of the connected account, `ca_…`. */
      nanoid: string
    }
    response: ConnectedAccount
  }

  /**
   * Authenticate a connected account again.
   *
   * Starts a new authentication of an account, also of an EXPIRED one. For OAuth, open `redirect_url` in the browser of the user within ten minutes. Other schemes check the stored credentials again. Access tokens are refreshed automatically; this call is not needed for that.
   *
   * Requires an API key with the permission `connected_accounts: write`.
   *
   * The example needs a connected account.
   */
  "connectedAccounts.refresh": {
    request: {
      /** Id of the connected account, `ca_…`. */
      nanoid: string
      /** URL to which the browser returns afterwards. */
      redirect_url?: string
      /** Send a test request with the credentials. Default false. */
      validate_credentials?: boolean
    }
    response: {
      /** Id of the connected account, `ca_…`. */
      id: string
      /** Status of the account: `INITIATED` until the user has authenticated again. */
      status: "INITIALIZING" | "INITIATED" | "ACTIVE" | "FAILED" | "EXPIRED" | "INACTIVE" | "REVOKED"
      /** URL to open in the browser of the user; null when none is needed. */
      redirect_url: string | null
    }
  }

  /**
   * Revoke the credentials at the provider.
   *
   * Revokes the tokens of an ACTIVE account at the provider and sets the account REVOKED. A repeated call succeeds and returns no tokens. Providers without revocation return `ConnectedAccount_RevokeNotSupported`.
   *
   * Requires an API key with the permission `connected_accounts: write`.
   *
   * The example needs a connected OAuth account.
   */
  "connectedAccounts.revoke": {
    request: {
      /** Id of the connected account, `ca_…`. */
      nanoid: string
    }
    response: {
      /** Kinds of tokens that were revoked, such as `access_token`. Empty when the account was revoked before. */
      revoked_tokens: string[]
      /** The account. */
      connected_account: {
        /** Id of the connected account, `ca_…`. */
        id: string
        /** Status of the account: `REVOKED`. */
        status: "INITIALIZING" | "INITIATED" | "ACTIVE" | "FAILED" | "EXPIRED" | "INACTIVE" | "REVOKED"
      }
    }
  }

  /**
   * Enable or disable a connected account.
   *
   * Switches an ACTIVE account off, or an INACTIVE one on. Its triggers are disabled and enabled with it. Accounts with another status return `ConnectedAccount_BadRequest`.
   *
   * Requires an API key with the permission `connected_accounts: write`.
   *
   * The example needs a connected account.
   */
  "connectedAccounts.setStatus": {
    request: {
      /** Id of the connected account, `ca_…`. */
      nanoid: string
      /** True sets the account ACTIVE, false sets it INACTIVE. */
      enabled: boolean
      /** Why the status changes, for the history of the account. */
      reason?: string
    }
    response: {
      /** Always true: a failure returns an error envelope. */
      success: boolean
    }
  }

  /**
   * Change the alias or the credentials of a connected account.
   *
   * Changes the alias, the credentials or the sharing of an account. New credentials make an EXPIRED account ACTIVE. Credentials can only be changed for schemes without a browser.
   *
   * Requires an API key with the permission `connected_accounts: write`.
   *
   * The example needs a connected account.
   */
  "connectedAccounts.update": {
    request: {
      /** Id of the connected account, `ca_…`. */
      nanoid: string
      /** New alias. An empty text removes the alias. */
      alias?: string
      /** New credentials. */
      connection?: {
        /** Scheme and credentials to change. */
        state: {
          /** Authentication scheme, in any letter case. It must be the scheme of the account. */
          authScheme: string
          /** Values to change, by field name. Null removes a value; others stay as they are. */
          val: Record<string, unknown>
        }
      }
      /** Sharing of the account. Experimental. */
      experimental?: {
        /** `PRIVATE` (default): only the user of the account may use it. `SHARED`: the access list decides. */
        account_type?: "PRIVATE" | "SHARED"
        /** Access list. It is only valid for SHARED accounts. */
        acl_config_for_shared?: {
          /** Whether every user of the project may use the account. Default false. */
          allow_all_users?: boolean
          /** Users who may use the account. At most 1000. */
          allowed_user_ids?: string[]
          /** Users who may not use the account; this list is checked first. At most 1000. */
          not_allowed_user_ids?: string[]
        }
      }
    }
    response: {
      /** Always true: a failure returns an error envelope. */
      success: boolean
      /** Id of the connected account, `ca_…`. */
      id: string
      /** Status of the account after the change. */
      status: "INITIALIZING" | "INITIATED" | "ACTIVE" | "FAILED" | "EXPIRED" | "INACTIVE" | "REVOKED"
    }
  }

  /**
   * List events, newest first.
   *
   * Returns a page of events, newest first, with the number of their deliveries by status. Events are stored for `event_retention_days` of the project.
   *
   * Requires an API key with the permission `webhooks: read`.
   */
  "events.list": {
    request: {
      /** Largest number of items on a page. Default 20; values above 1000 count as 1000. */
      limit?: number
      /** `next_cursor` of the previous page. Omit it for the first page. */
      cursor?: string
      /** Only events with a delivery of this status. `dead` lists the dead letters. */
      delivery_status?: "pending" | "delivered" | "dead"
      /** Only events for this webhook subscription, `ws_…`. */
      subscription_id?: string
    }
    response: {
      /** Items of this page. */
      items: ({
        /** Id of the event, `evt_…`. */
        id: string
        /** Value of the header `webhook-id` in every delivery of the event. */
        webhook_id: string
        /** Type of the event, as `GET /webhook_subscriptions/event_types` lists it. */
        type: string
        /** Events with the same key, such as those of one trigger instance, are delivered in order; null for none. */
        ordering_key: string | null
        /** When the event happened. */
        created_at: string
        /** Number of deliveries by status. */
        deliveries: {
          /** Deliveries that will be sent or repeated. */
          pending: number
          /** Deliveries that a receiver accepted. */
          delivered: number
          /** Deliveries that were given up. */
          dead: number
        }
      })[]
      /** Value of `cursor` for the next page; null on the last page. */
      next_cursor: string | null
      /** Number of pages at this `limit`. */
      total_pages: number
      /** Number of this page, from 1. */
      current_page: number
      /** Number of items on all pages; the least possible one if `total_is_minimum`. */
      total_items: number
      /** Whether there are more than 10,000 items, which are not counted further. */
      total_is_minimum: boolean
    }
  }

  /**
   * Deliver events again.
   *
   * Delivers events again: those in `event_ids`, or all between `from` and `to`. At most 10,000 deliveries start in one call; repeat the call for more. Receivers recognise repeated events by `webhook-id`.
   *
   * Requires an API key with the permission `webhooks: write`.
   */
  "events.replay": {
    request: {
      /** Ids of events, `evt_…`. At most 1000. */
      event_ids?: string[]
      /** Events created at or after this time. Required without `event_ids`. */
      from?: string
      /** Events created before this time. Default: now. */
      to?: string
      /** Only deliveries to this subscription, `ws_…`. */
      subscription_id?: string
      /** Only deliveries that were given up. Default false. */
      only_dead?: boolean
    }
    response: {
      /** Number of deliveries that start now, oldest events first. At most 10,000; pending deliveries are left as they are. */
      queued: number
    }
  }

  /**
   * Read an event and its deliveries.
   *
   * Returns one event with its data, and every delivery with its attempts.
   *
   * Requires an API key with the permission `webhooks: read`.
   *
   * The example needs an event.
   */
  "events.show": {
    request: {
      /** Id of the event, `evt_…`. */
      event_id: string
    }
    response: {
      /** Id of the event, `evt_…`. */
      id: string
      /** Value of the header `webhook-id` in every delivery of the event. */
      webhook_id: string
      /** Type of the event, as `GET /webhook_subscriptions/event_types` lists it. */
      type: string
      /** Events with the same key, such as those of one trigger instance, are delivered in order; null for none. */
      ordering_key: string | null
      /** When the event happened. */
      created_at: string
      /** Data of the event. */
      data: Record<string, unknown>
      /** Body that a webhook in version V3 delivers; null when the event has none. */
      payload: Record<string, unknown>
      /** Deliveries of the event, one for each subscription. */
      deliveries: ({
        /** Id of the delivery. */
        id: string
        /** Id of the webhook subscription, `ws_…`. */
        subscription_id: string
        /** `pending`: it will be sent or repeated. `delivered`: the receiver returned a 2xx status. `dead`: all attempts failed. */
        status: "pending" | "delivered" | "dead"
        /** Number of attempts so far. */
        attempts: number
        /** When the next attempt is due; null when there is none. */
        next_at: string | null
        /** When the delivery succeeded or was given up; null while it is pending. */
        finished_at: string | null
        /** The last 50 attempts, oldest first. */
        log: ({
          /** Number of the attempt, from 1. */
          number: number
          /** When the attempt ended. */
          ended_at: string
          /** HTTP status of the response; null without a response. */
          status: number | null
          /** Duration in milliseconds. */
          latency_ms: number
          /** Why there was no response; null when there was one. */
          error: string | null
          /** First 2 KB of the response body; null without a response. */
          answer: string | null
        })[]
      })[]
    }
  }

  /**
   * Follow events as they happen.
   *
   * Returns new events in order and without gaps. With `Accept: text/event-stream` the connection stays open and sends each event as a message; otherwise the call returns up to 100 events at once. Continue with `last_event_id`.
   *
   * Requires an API key with the permission `webhooks: read`.
   */
  "events.stream": {
    request: {
      /** Position after which to continue. Default: only new events. Streams also accept the header `Last-Event-ID`. */
      last_event_id?: string
      /** Only events of these types. The type that ends in `.tool_execution.ended` adds executions of tools, which are not stored: only streams have them, from now on, and only if this parameter names it. The key needs read access to `observability` too. */
      event_types?: ("service.trigger.message" | "service.connected_account.active" | "service.connected_account.failed" | "service.connected_account.deleted" | "service.connected_account.expired" | "service.webhook.disabled" | "service.trigger.disabled" | "service.approval.requested" | "service.approval.decided" | "service.budget.threshold_reached" | "service.session_hook.before_execute" | "service.session_hook.after_execute" | "service.tool_execution.ended")[]
      /** Only events of these trigger instances, `ti_…`. */
      trigger_ids?: string[]
    }
    response: {
      /** At most 100 events, in order. With `Accept: text/event-stream`, each is the data of one message of a continuous stream. */
      items: ({
        /** Id of the event, `evt_…`; of an execution the id of its log, `log_…`. */
        event_id: string
        /** Events with the same key, such as those of one trigger instance, are delivered in order; null for none. */
        ordering_key: string | null
        /** Body that a webhook in version V3 delivers. */
        payload: Record<string, unknown>
      })[]
      /** Position of the last event: the `last_event_id` of the next call. */
      last_event_id: string
    }
  }

  /**
   * List files.
   *
   * Returns a page of the files of the project, newest first. Deprecated in v3.1. Files are removed after a limited time.
   *
   * Requires an API key with the permission `tool_execution: write`.
   * @deprecated
   */
  "files.list": {
    request: {
      /** Only files of this toolkit. */
      toolkit_slug?: string
      /** Only files of this tool. */
      tool_slug?: string
      /** Largest number of items on a page. Default 20; values above 1000 count as 1000. */
      limit?: number
      /** `next_cursor` of the previous page. Omit it for the first page. */
      cursor?: string
    }
    response: {
      /** Items of this page. */
      items: {
        /** Slug of the toolkit that uses the file. */
        toolkit_slug: string
        /** Slug of the tool that uses the file. */
        tool_slug: string
        /** File name. */
        filename: string
        /** Media type of the file. */
        mimetype: string
        /** MD5 of the content, in hexadecimal. */
        md5: string
      }[]
      /** Value of `cursor` for the next page; null on the last page. */
      next_cursor: string | null
      /** Number of pages at this `limit`. */
      total_pages: number
      /** Number of this page, from 1. */
      current_page: number
      /** Number of items on all pages. */
      total_items: number
    }
  }

  /**
   * Request a file upload.
   *
   * Requests the upload of a file for a tool. PUT the content to `new_presigned_url`, then pass `key` as `s3key` in the arguments of the tool. The project setting `signed_url_file_expiry_in_seconds` limits how long the URL is valid.
   *
   * Requires an API key with the permission `tool_execution: write`.
   */
  "files.upload": {
    request: {
      /** Slug of the toolkit that uses the file. */
      toolkit_slug: string
      /** Slug of the tool that uses the file. */
      tool_slug: string
      /** File name, at most 255 characters. */
      filename: string
      /** Media type of the file. Send the same value as Content-Type of the upload. */
      mimetype: string
      /** MD5 of the content, in hexadecimal. */
      md5: string
    }
    response: {
      /** Id of the file. */
      id: string
      /** Key of the file: the value of `s3key` in tool arguments. */
      key: string
      /** Always `new`: the content must be uploaded. */
      type: "new"
      /** URL for the upload: PUT the content with the `mimetype` as Content-Type and without an API key. */
      new_presigned_url: string
      /**
       * Deprecated: the same as `new_presigned_url`.
       * @deprecated
       */
      newPresignedUrl: string
      /** Details of the storage. */
      metadata: {
        /** Always `s3`. */
        storage_backend: "s3"
      }
    }
  }

  /**
   * Freeze accounts and revoke their access.
   *
   * Freezes every matching ACTIVE account at once and revokes its tokens at the provider in the background. Use it after credentials may have leaked. At least one of `project_id`, `toolkit_slug` and `user_id` is required; several narrow the selection. Frozen accounts need to be connected again. With `revoke`, keys of the project, sign-ins of MCP clients, sessions and webhook subscriptions end in the same transaction.
   *
   * Requires an API key of the organization with the permission `incidents: write`.
   */
  "incidents.create": {
    request: {
      /** Freeze the accounts of this project only, `proj_…`. */
      project_id?: string
      /** Freeze the accounts of this toolkit only. */
      toolkit_slug?: string
      /** Freeze the accounts of this user only. */
      user_id?: string
      /** Reason, also shown in `status_reason` of the accounts. At most 500 characters. */
      reason?: string
      /** What to revoke besides accounts. `keys` (revoked for good) and `webhook_subscriptions` (disabled until they are changed or tested) belong to a project: they need `project_id`, without `user_id`. `mcp_grants` and `sessions` belong to users: they need `project_id` or `user_id`. None of them has a toolkit, so they cannot be combined with `toolkit_slug`. */
      revoke?: ("keys" | "mcp_grants" | "sessions" | "webhook_subscriptions")[]
    }
    response: Incident
  }

  /**
   * List incidents, newest first.
   *
   * Returns a page of the incidents of the organization, newest first, with the progress of their revocations. `incidents.read` returns the accounts of one.
   *
   * Requires an API key of the organization with the permission `incidents: read`.
   */
  "incidents.list": {
    request: {
      /** Largest number of items on a page. Default 20; values above 1000 count as 1000. */
      limit?: number
      /** `next_cursor` of the previous page. Omit it for the first page. */
      cursor?: string
    }
    response: {
      /** Items of this page. */
      items: Incident[]
      /** Value of `cursor` for the next page; null on the last page. */
      next_cursor: string | null
      /** Number of pages at this `limit`. */
      total_pages: number
      /** Number of this page, from 1. */
      current_page: number
      /** Number of items on all pages. */
      total_items: number
    }
  }

  /**
   * Read an incident and its accounts.
   *
   * Returns the progress of an incident and a page of the accounts that it froze.
   *
   * Requires an API key of the organization with the permission `incidents: read`.
   *
   * The example needs an incident.
   */
  "incidents.read": {
    request: {
      /** Id of the incident, `inc_…`. */
      incident_id: string
      /** Largest number of items on a page. Default 20; values above 1000 count as 1000. */
      limit?: number
      /** `next_cursor` of the previous page. Omit it for the first page. */
      cursor?: string
    }
    response: {
      /** Id of the incident, `inc_…`. */
      id: string
      /** Id of the project, `proj_…`; null for every project. */
      project_id: string | null
      /** Slug of the toolkit; null for every toolkit. */
      toolkit_slug: string | null
      /** Id of the user; null for every user. */
      user_id: string | null
      /** Reason that was given; null for none. */
      reason: string | null
      /** When the incident was created. */
      created_at: string
      /** Number of accounts that were ACTIVE and have been frozen. */
      frozen: number
      /** Number of accounts by progress of the revocation. */
      revocations: {
        /** Revocations that are still running. */
        pending: number
        /** Revocations that succeeded. */
        done: number
        /** Revocations that failed for good. */
        failed: number
        /** Accounts whose provider has no revocation. */
        unsupported: number
      }
      /** What was revoked besides accounts, as `revoke` of the request selects it. */
      revoked: {
        /** Number of project keys that were revoked. */
        keys: number
        /** Number of sign-ins of MCP clients that were revoked. */
        mcp_grants: number
        /** Number of sessions that were deleted. */
        sessions: number
        /** Number of webhook subscriptions that were disabled. */
        webhook_subscriptions: number
      }
      /** Frozen accounts of this page. */
      items: ({
        /** Id of the connected account, `ca_…`. */
        connected_account_id: string
        /** Id of the project, `proj_…`. */
        project_id: string
        /** Toolkit of the account. */
        toolkit: {
          /** Slug of the toolkit. */
          slug: string
        }
        /** Id of the user that the account belongs to. */
        user_id: string
        /** OAuth scopes of the account. */
        requested_scopes: string[]
        /** Number of tools that could be executed with the account. */
        tools_count: number
        /** Progress of the revocation at the provider. `unsupported`: the provider has none. */
        revocation: "pending" | "done" | "failed" | "unsupported"
        /** Kinds of tokens that were revoked. */
        revoked_tokens: string[]
        /** Error of the last attempt to revoke; null for none. */
        last_error: string | null
      })[]
      /** Value of `cursor` for the next page; null on the last page. */
      next_cursor: string | null
      /** Number of pages at this `limit`. */
      total_pages: number
      /** Number of this page, from 1. */
      current_page: number
      /** Number of items on all pages. */
      total_items: number
    }
  }

  /**
   * Export execution logs.
   *
   * An extension of this server. Returns a page of execution logs as NDJSON or CSV text, newest first, without arguments and results. Append pages to make the file; each page that is exported is an entry of the audit log.
   *
   * Requires an API key with the permission `observability: read`.
   */
  "logs.export": {
    request: {
      /** Largest number of items on a page. Default 20; values above 1000 count as 1000. */
      limit?: number | null
      /** `next_cursor` of the previous page. Omit it for the first page. */
      cursor?: string | null
      /** Filters. Several with `==` or `contains` on one field are alternatives; all others must match. */
      filters?: ({
        /** Field to compare. */
        field: "tool_slug" | "toolkit_slug" | "connected_account_id" | "auth_config_id" | "status" | "user_id" | "session_id" | "sandbox_id" | "request_id" | "log_id"
        /** Comparison. */
        operator: "==" | "!=" | "contains" | "not_contains"
        /** Value to compare with. At most 1024 characters. */
        value: string
      })[]
      /** Period in which the calls began. */
      time_range?: {
        /** Begin of the period, in milliseconds since 1970 (UTC), inclusive. */
        from: number
        /** End of the period, in milliseconds since 1970 (UTC), exclusive. */
        to: number
      }
      /** Format of `content`. Default: `ndjson`. */
      format?: "ndjson" | "csv"
    }
    response: {
      /** Format of `content`. */
      format: "ndjson" | "csv"
      /** The executions of this page. The first page of a CSV file has the header. */
      content: string
      /** Value of `cursor` for the next page; null on the last page. */
      next_cursor: string | null
    }
  }

  /**
   * Search execution logs (earlier URL).
   *
   * Returns a page of execution logs in the format of earlier versions. Use `POST /logs/tool_execution` in new clients.
   *
   * Requires an API key with the permission `observability: read`.
   */
  "logs.internal": {
    request: {
      /** `nextCursor` of the previous page. Omit it for the first page. */
      cursor?: number | null
      /** Largest number of items on a page. Default 20; values above 1000 count as 1000. */
      limit?: number | null
      /** Whether comparisons respect letter case. Default false. */
      case_sensitive?: boolean | null
      /** Only calls that began at or after this time, in milliseconds since 1970 (UTC). */
      from?: number
      /** Only calls that began before this time, in milliseconds since 1970 (UTC). */
      to?: number
      /** Filters. All of them must match. */
      search_params?: ({
        /** Field to compare. */
        field?: string
        /** Comparison. */
        operation?: "==" | "!=" | "contains" | "not_contains"
        /** Value to compare with. At most 1024 characters. */
        value?: string
      })[]
    }
    response: {
      /** Logs of this page. */
      data: ({
        /** Id of the log, `log_…`. */
        id: string
        /** Slug of the tool. */
        actionKey: string
        /** Slug of the toolkit. */
        appKey: string
        /** Toolkit of the tool. */
        app: {
          /** URL of the logo. */
          icon: string
          /** Name of the toolkit. */
          name: string
        }
        /** Id of the connected account, `ca_…`; empty for none. */
        connectedAccountId: string
        /** Id of the user that the call was for. */
        entityId: string
        /** `started`: the call may have had its effect, and its end is not known yet. */
        status: "success" | "failed" | "started"
        /** Duration in milliseconds. */
        executionTime: number
        /** Beginning of the error; empty on success. */
        minimalResponse: string
        /** Further fields. */
        metadata: {
          /** Id of the recipe that made the call; null for none. */
          recipe_id: string | null
        }
        /** When the call began, in milliseconds since 1970 (UTC). */
        createdAt: number
      })[]
      /** Value of `cursor` for the next page; null on the last page. */
      nextCursor: number | null
    }
  }

  /**
   * List the searchable fields of execution logs.
   *
   * Returns the fields that `POST /internal/action_execution/logs` can search, by type.
   *
   * Requires an API key with the permission `observability: read`.
   */
  "logs.internalFields": {
    request: Record<string, never>
    response: {
      /** Searchable fields by type. */
      fields: Record<string, {
        /** Name of the field, for `search_params[].field`. */
        id: string
        /** Display name. */
        displayName: string
        /** Type of the value. */
        type: string
        /** Pattern of valid values. */
        regex?: string
      }[]>
    }
  }

  /**
   * Read one execution log (earlier URL).
   *
   * Returns one execution log in the format of earlier versions. Use `GET /logs/tool_execution/{id}` in new clients.
   *
   * Requires an API key with the permission `observability: read`.
   *
   * The example needs an execution.
   */
  "logs.internalRead": {
    request: {
      /** Id of the log, `log_…`. */
      id: string
    }
    response: {
      /** Id of the log, `log_…`. */
      actionLogId: string
      /** Slug of the tool. */
      actionId: string
      /** Outcome of the call. */
      status: "success" | "error" | "warning" | "info"
      /** Toolkit of the tool. */
      app: {
        /** Name of the toolkit. */
        name: string
        /** Slug of the toolkit. */
        uniqueId: string
        /** URL of the logo. */
        icon: string
      }
      /** Version of the toolkit. */
      version: string
      /** Connected account and user of the call. */
      connection: {
        /** Id of the connected account, `ca_…`; empty for none. */
        id: string
        /** Id of the user that the call was for. */
        entity: string
      }
      /** Session of the call; empty for none. */
      session: Record<string, unknown>
      /** Details of the call. */
      executionMetadata: Record<string, unknown>
      /** Steps of the call, in order. */
      steps: ({
        /** Kind of the step. */
        type: "tool_execution" | "fetch_connection_details"
        /** Begin, in milliseconds since 1970 (UTC). */
        startTime: number
        /** End, in milliseconds since 1970 (UTC). */
        endTime: number
        /** Duration in milliseconds. */
        totalDuration: number
        /** Outcome of the step. */
        status: "success" | "failure" | "error"
        /** Summary of the step. */
        message: string
      })[]
      /** Arguments of the call. Empty when the project does not store data. */
      payloadReceived: Record<string, unknown>
      /** Begin, in milliseconds since 1970 (UTC). */
      startTime: number
      /** End, in milliseconds since 1970 (UTC). */
      endTime: number
      /** Duration, in milliseconds, as text. */
      totalDuration: string
      /** Result of the call. Empty when the project does not store data. */
      response: Record<string, unknown>
      /** Error of the call; empty on success. */
      error: Record<string, unknown>
    }
  }

  /**
   * Search execution logs, newest first.
   *
   * Returns a page of execution logs, newest first, without arguments and results. Logs are stored for `LOG_RETENTION_DAYS` of the server.
   *
   * Requires an API key with the permission `observability: read`.
   */
  "logs.search": {
    request: {
      /** Largest number of items on a page. Default 20; values above 1000 count as 1000. */
      limit?: number | null
      /** `next_cursor` of the previous page. Omit it for the first page. */
      cursor?: string | null
      /** Filters. Several with `==` or `contains` on one field are alternatives; all others must match. */
      filters?: ({
        /** Field to compare. */
        field: "tool_slug" | "toolkit_slug" | "connected_account_id" | "auth_config_id" | "status" | "user_id" | "session_id" | "sandbox_id" | "request_id" | "log_id"
        /** Comparison. */
        operator: "==" | "!=" | "contains" | "not_contains"
        /** Value to compare with. At most 1024 characters. */
        value: string
      })[]
      /** Period in which the calls began. */
      time_range?: {
        /** Begin of the period, in milliseconds since 1970 (UTC), inclusive. */
        from: number
        /** End of the period, in milliseconds since 1970 (UTC), exclusive. */
        to: number
      }
    }
    response: {
      /** Logs of this page. */
      logs: ({
        /** Id of the log, `log_…`. */
        id: string
        /** When the call began. */
        timestamp: string
        /** Always `tool.execution`. */
        type: string
        /** `started`: the call may have had its effect, and its end is not known yet. */
        status: "success" | "failed" | "started"
        /** Severity of the outcome. */
        level: "info" | "warn" | "error"
        /** Summary of the outcome. */
        message: string
        /** What was called, and for whom. */
        metadata: {
          /** Slug of the tool. */
          tool_slug: string
          /** Slug of the toolkit. */
          toolkit_slug: string
          /** Version of the toolkit. */
          version: string
          /** Effect of the tool: `read`, `create`, `update` or `delete`; null when it is not known. */
          effect: string | null
          /** Id of the connected account, `ca_…`; null for none. */
          connected_account_id: string | null
          /** Id of the auth config, `ac_…`; null for none. */
          auth_config_id: string | null
          /** Id of the user that the call was for; null for none. */
          user_id: string | null
          /** HTTP status of the application; null without a response. */
          status_code: number | null
          /** Whether the call only previewed the request. */
          dry_run: boolean
        }
        /** Durations and sizes. */
        metrics: {
          /** Duration of the call in milliseconds; null while it runs. */
          duration_ms: number | null
          /** Time to select the connected account, in milliseconds. */
          account_ms?: number
          /** Time to decrypt or refresh the credentials, in milliseconds. */
          credentials_ms?: number
          /** Time in which the server waited for the application, in milliseconds. */
          application_ms?: number
          /** Number of requests to the application, retries included; null while the call runs. */
          requests: number | null
          /** Bytes sent to the application; null while the call runs. */
          request_bytes: number | null
          /** Bytes received from the application; null while the call runs. */
          response_bytes: number | null
        }
        /** Call that made this one, such as that of a meta tool; null for none. */
        parent: {
          /** Id of that log, `log_…`. */
          log_id?: string
          /** Slug of that tool. */
          tool_slug?: string
        }
      })[]
      /** Value of `cursor` for the next page; null on the last page. A search takes less than a second: a page can have few logs, or none, although more follow. */
      next_cursor: string | null
    }
  }

  /**
   * Read one execution log.
   *
   * Returns one execution log with the arguments, the result and the durations. Secrets are redacted. Projects with `log_visibility_setting: dont_store_data` have no arguments and results.
   *
   * Requires an API key with the permission `observability: read`.
   *
   * The example needs an execution.
   */
  "logs.show": {
    request: {
      /** Id of the log, `log_…`. */
      id: string
    }
    response: ToolExecutionLog
  }

  /**
   * Follow tool executions as they start and end.
   *
   * An extension of this server. With `Accept: text/event-stream` the connection stays open and sends each execution as a message: once when it is stored, and again when it ends. Calls of several seconds that only read are stored when they end, and come up to 15 seconds later. Otherwise the call returns a page of up to 200 executions after `last_event_id`, in the order of their start. Neither leaves any out, however many there are. Executions around a position come twice: identify them by `id`. After a position that is older than the log, the stream first sends `{"type": "tool.execution.missed", "count": null}`.
   *
   * Requires an API key with the permission `observability: read`.
   */
  "logs.stream": {
    request: {
      /** Position after which to continue; 0: the beginning of the log. Default: only new executions. Streams also accept the header `Last-Event-ID`. */
      last_event_id?: string
      /** Only executions with this tool. */
      tool_slug?: string
      /** Only executions with this toolkit. */
      toolkit_slug?: string
      /** Only executions with this user. */
      user_id?: string
      /** Only executions with this connected account. */
      connected_account_id?: string
      /** Only executions with this session. */
      session_id?: string
      /** Only executions with this request id. */
      request_id?: string
      /** Only executions with this status. */
      status?: "success" | "failed" | "started"
    }
    response: {
      /** Executions, oldest first. With `Accept: text/event-stream`, each is the data of one message of a continuous stream. */
      items: ({
        /** Id of the log, `log_…`. */
        id: string
        /** When the call began. */
        timestamp: string
        /** Always `tool.execution`. */
        type: string
        /** `started`: the call may have had its effect, and its end is not known yet. */
        status: "success" | "failed" | "started"
        /** Severity of the outcome. */
        level: "info" | "warn" | "error"
        /** Summary of the outcome. */
        message: string
        /** What was called, and for whom. */
        metadata: {
          /** Slug of the tool. */
          tool_slug: string
          /** Slug of the toolkit. */
          toolkit_slug: string
          /** Version of the toolkit. */
          version: string
          /** Effect of the tool: `read`, `create`, `update` or `delete`; null when it is not known. */
          effect: string | null
          /** Id of the connected account, `ca_…`; null for none. */
          connected_account_id: string | null
          /** Id of the auth config, `ac_…`; null for none. */
          auth_config_id: string | null
          /** Id of the user that the call was for; null for none. */
          user_id: string | null
          /** HTTP status of the application; null without a response. */
          status_code: number | null
          /** Whether the call only previewed the request. */
          dry_run: boolean
        }
        /** Durations and sizes. */
        metrics: {
          /** Duration of the call in milliseconds; null while it runs. */
          duration_ms: number | null
          /** Time to select the connected account, in milliseconds. */
          account_ms?: number
          /** Time to decrypt or refresh the credentials, in milliseconds. */
          credentials_ms?: number
          /** Time in which the server waited for the application, in milliseconds. */
          application_ms?: number
          /** Number of requests to the application, retries included; null while the call runs. */
          requests: number | null
          /** Bytes sent to the application; null while the call runs. */
          request_bytes: number | null
          /** Bytes received from the application; null while the call runs. */
          response_bytes: number | null
        }
        /** Call that made this one, such as that of a meta tool; null for none. */
        parent: {
          /** Id of that log, `log_…`. */
          log_id?: string
          /** Slug of that tool. */
          tool_slug?: string
        }
      })[]
      /** Position after these executions: the `last_event_id` of the next call. */
      last_event_id: string
      /** Whether the log has removed executions after the position, so that some are missing. */
      missed: boolean
    }
  }

  /**
   * Read one trigger log.
   *
   * Returns one trigger log with the data of the event and the responses of receivers.
   *
   * Requires an API key with the permission `observability: read`.
   *
   * The example needs a trigger log.
   */
  "logs.triggerRead": {
    request: {
      /** Id of the log, `log_…`. */
      id: string
    }
    response: {
      log: TriggerLog
    }
  }

  /**
   * Search trigger logs, newest first.
   *
   * Returns a page of trigger logs, newest first: events, failed polls, gaps, and changes of status.
   *
   * Requires an API key with the permission `observability: read`.
   */
  "logs.triggers": {
    request: {
      /** How far to look back. `from` and `to` are more exact. */
      time?: "5m" | "30m" | "6h" | "1d" | "1w" | "1month" | "1y" | null
      /** Only logs at or after this time, in milliseconds since 1970 (UTC). */
      from?: number | null
      /** Only logs before this time, in milliseconds since 1970 (UTC). */
      to?: number | null
      /** Only logs with this status. Default `all`. */
      status?: "all" | "success" | "error"
      /** Part of the trigger name, of an id, or of the message. */
      search?: string
      /** Id of the auth config, `ac_…`. */
      integrationId?: string
      /** Id of the user, the same as `userId`. */
      entityId?: string
      /** Id of the user. */
      userId?: string
      /** Largest number of items on a page. Default 20; values above 1000 count as 1000. */
      limit?: number | null
      /** `nextCursor` of the previous page. Omit it for the first page. */
      cursor?: number | null
      /** Filters. All of them must match. */
      search_params?: ({
        /** Field to compare. */
        field: "trigger_name" | "trigger_id" | "toolkit" | "connected_account_id" | "auth_config_id" | "user_id" | "type" | "event_id"
        /** Comparison. */
        operation: "==" | "!=" | "contains" | "not_contains"
        /** Value to compare with. At most 1024 characters. */
        value: string
      })[]
      /** Include the data of events and the responses of receivers. Default false. */
      include_payload?: boolean
    }
    response: {
      /** Value of `cursor` for the next page; null on the last page. */
      nextCursor: number | null
      /** Logs of this page. */
      data: TriggerLog[]
    }
  }

  /**
   * Read client configurations of an MCP server.
   *
   * An extension of this server. Returns what each MCP client needs: a command, a configuration file or a program, ready to copy. Programs always use a key; for the others `auth` decides.
   *
   * Requires an API key with the permission `sessions: read`.
   *
   * The example needs an MCP server.
   */
  "mcp.clientConfigs": {
    request: {
      /** Id of the MCP server. */
      server_id: string
      /** `sign_in`: the client signs its user in with OAuth. `key`: the client sends a project key in `x-api-key`; the response has a placeholder for it. Default `sign_in`. */
      auth?: "sign_in" | "key"
      /** User of the calls. Needed with a key, which names no user. Default `default`. */
      user_id?: string
    }
    response: McpClientConfigs
  }

  /**
   * Create an MCP server.
   *
   * Creates an MCP server from auth configs, and from toolkits that need no authentication. Each user calls the tools with their own connected accounts.
   *
   * Requires an API key with the permission `sessions: write`.
   */
  "mcp.create": {
    request: {
      /** Name of the server: letters, digits, spaces and hyphens. */
      name: string
      /** Ids of the auth configs whose accounts the tools use, `ac_…`. At most 100. */
      auth_config_ids: string[]
      /** Slugs of toolkits that need no authentication. */
      no_auth_apps?: string[]
      /** Slugs of tools. A toolkit with tools in the list has only these. Tools of other toolkits are added. Empty: every tool of the toolkits. */
      allowed_tools?: string[]
      /** Whether clients see a tool with which users connect their accounts. Default false. */
      managed_auth_via_service?: boolean
    }
    response: McpServer
  }

  /**
   * Create an MCP server from several toolkits.
   *
   * Creates an MCP server from a list of toolkits. Auth configs are optional.
   *
   * Requires an API key with the permission `sessions: write`.
   */
  "mcp.createCustom": {
    request: {
      /** Name of the server: letters, digits, spaces and hyphens. */
      name: string
      /** Ids of the auth configs whose accounts the tools use, `ac_…`. At most 100. */
      auth_config_ids?: string[]
      /** Slugs of toolkits. At most 200. */
      toolkits?: string[]
      /** Slugs of tools. A toolkit with tools in the list has only these. Tools of other toolkits are added. Empty: every tool of the toolkits. */
      allowed_tools?: string[]
      /**
       * Deprecated: use `allowed_tools`.
       * @deprecated
       */
      custom_tools?: string[]
      /** Whether clients see a tool with which users connect their accounts. Default false. */
      managed_auth_via_service?: boolean
    }
    response: {
      /** Id of the MCP server, a UUID. */
      id: string
      /** Name of the MCP server. */
      name: string
      /** Ids of the auth configs whose accounts the tools use, `ac_…`. */
      auth_config_ids: string[]
      /** Slugs of tools. A toolkit with tools in the list has only these; tools of other toolkits are added. Empty: every tool of the toolkits. */
      allowed_tools: string[]
      /** URL of the server. A client that signs its user in uses it as it is. With a key, add `user_id` or `connected_account_id` to its query. */
      mcp_url: string
      /** Commands that add the server to a client, by client. */
      commands: {
        /** Command for Cursor. */
        cursor: string
        /** Command for Claude. */
        claude: string
        /** Command for Windsurf. */
        windsurf: string
      }
    }
  }

  /**
   * Create an instance of an MCP server.
   *
   * Sets an MCP server up for one user. The user needs a connected account for every auth config of the server; otherwise the call returns `Mcp_NotConnected`.
   *
   * Requires an API key with the permission `sessions: write`.
   *
   * The example needs an MCP server.
   */
  "mcp.createInstance": {
    request: {
      /** Id of the MCP server. */
      server_id: string
      /** Id of the user. */
      user_id: string
    }
    response: McpServerInstance
  }

  /**
   * Create a sign-in link for an MCP client.
   *
   * Creates a link with which a user of your application signs in for an MCP client. Create it only for the user who is signed in to your application, and redirect the browser of that user to it. The link works once and expires after ten minutes. A restricted key also needs `tool_execution` `write`.
   *
   * Requires an API key with the permission `sessions: write`.
   *
   * The example needs a session of the user.
   */
  "mcp.createSignInLink": {
    request: {
      /** Id of the user who signs in. */
      user_id: string
      /** Id of the MCP server. Send it, `session_id` or `sign_in_id`. */
      mcp_server_id?: string
      /** Id of the session, `trs_…`. */
      session_id?: string
      /** Value of `sign_in_id` with which the browser reached the project’s `mcp_sign_in_url`, in place of a server or a session. */
      sign_in_id?: string
    }
    response: {
      /** URL for the browser of this user only. It works once, for ten minutes. */
      url: string
      /** When the link expires. */
      expires_at: string
    }
  }

  /**
   * Delete an MCP server.
   *
   * Deletes an MCP server. Its URLs stop working at once; connected accounts stay.
   *
   * Requires an API key with the permission `sessions: write`.
   *
   * The example needs an MCP server.
   */
  "mcp.delete": {
    request: {
      /** Id of the MCP server. */
      id: string
    }
    response: {
      /** Id of the MCP server. */
      id: string
      /** Always true. */
      deleted: boolean
    }
  }

  /**
   * Revoke the grant of an MCP client.
   *
   * Revokes the grant of an MCP client. Its tokens stop working at once; the user can sign in again.
   *
   * Requires an API key with the permission `sessions: write`.
   *
   * The example needs a grant.
   */
  "mcp.deleteClientGrant": {
    request: {
      /** Id of the grant. */
      grant_id: string
    }
    response: {
      /** Id of the grant. */
      id: string
      /** Always true. */
      deleted: boolean
    }
  }

  /**
   * Revoke the grants of a user, a client or an MCP server.
   *
   * Revokes all grants that match every given filter, and returns their number. At least one filter is required. Their tokens stop working at once; the users can sign in again.
   *
   * Requires an API key with the permission `sessions: write`.
   */
  "mcp.deleteClientGrants": {
    request: {
      /** Only grants of this user. */
      user_id?: string
      /** Only grants for this MCP server. */
      mcp_server_id?: string
      /** Only grants for this session. */
      session_id?: string
      /** Only grants of this client. */
      client_id?: string
    }
    response: {
      /** Number of grants that were revoked. */
      deleted: number
    }
  }

  /**
   * Delete an instance of an MCP server.
   *
   * Deletes the instance of one user, and the connected accounts that the user has for the auth configs of the server. A restricted key also needs `connected_accounts` `write`.
   *
   * Requires an API key with the permission `sessions: write`.
   *
   * The example needs an instance.
   */
  "mcp.deleteInstance": {
    request: {
      /** Id of the MCP server. */
      server_id: string
      /** Id of the user. */
      instance_id: string
    }
    response: {
      /** Summary of what was deleted. */
      message: string
      /** Number of connected accounts that were deleted. */
      deleted_connected_accounts: number
    }
  }

  /**
   * Remove the identity provider of MCP users.
   *
   * An extension of this server. Removes the provider and its secret. Grants of its users stay.
   *
   * Requires an API key without restrictions.
   */
  "mcp.deleteOpenIdProvider": {
    request: Record<string, never>
    response: {
      /** Always true. */
      success: boolean
    }
  }

  /**
   * Generate the URLs of an MCP server.
   *
   * Returns the URLs of an MCP server for users and connected accounts. Nothing is stored.
   *
   * Requires an API key with the permission `sessions: write`.
   *
   * The example needs an MCP server.
   */
  "mcp.generate": {
    request: {
      /** Id of the MCP server. */
      mcp_server_id: string
      /** Whether clients see a tool with which users connect their accounts. Default false. */
      managed_auth_by_service?: boolean
      /** Users to generate URLs for. */
      user_ids?: string[]
      /** Connected accounts to generate URLs for. */
      connected_account_ids?: string[]
    }
    response: {
      /** URL of the server without a user. */
      mcp_url: string
      /** One URL for each connected account, in the order of the request. */
      connected_account_urls: string[]
      /** One URL for each user, in the order of the request. */
      user_ids_url: string[]
    }
  }

  /**
   * Look up a token of an MCP client.
   *
   * Returns whether a token is valid, which grant it belongs to and what it may do, for example when one appears in a log. A token that is unknown, expired or of another project is only reported as not active.
   *
   * Requires an API key with the permission `sessions: read`.
   */
  "mcp.introspectToken": {
    request: {
      /** Access token or refresh token of an MCP client. */
      token: string
    }
    response: {
      /** Whether the token is valid. Without it, there are no other fields. */
      active: boolean
      /** Kind of the token. */
      token_type?: "access_token" | "refresh_token"
      /** When the token expires. */
      expires_at?: string
      /** Thumbprint (RFC 7638) of the key that the token is bound to; absent for a bearer token. */
      key_thumbprint?: string
      grant?: McpClientGrant
    }
  }

  /**
   * List MCP servers.
   *
   * Returns a page of the MCP servers of the project. Pages are selected by `page_no`.
   *
   * Requires an API key with the permission `sessions: read`.
   */
  "mcp.list": {
    request: {
      /** Part of the name, in any letter case. */
      name?: string
      /** Slugs of toolkits; servers with any of them. */
      toolkits?: string[]
      /** Ids of auth configs; servers with any of them. */
      auth_config_ids?: string[]
      /** Field to sort by. Default `updated_at`. */
      order_by?: "created_at" | "updated_at"
      /** Sort order. Default `desc`. */
      order_direction?: "asc" | "desc"
      /** Number of the page, from 1. Default 1. */
      page_no?: number | null
      /** Largest number of items on a page. Default 10; values above 100 count as 100. */
      limit?: number | null
    }
    response: {
      /** MCP servers of this page. */
      items: McpServer[]
      /** Number of pages at this `limit`. */
      total_pages: number
      /** Number of this page, from 1. */
      current_page: number
    }
  }

  /**
   * List the grants of MCP clients.
   *
   * Returns a page of the grants of MCP clients, newest first: which clients may call which servers and sessions for which users.
   *
   * Requires an API key with the permission `sessions: read`.
   */
  "mcp.listClientGrants": {
    request: {
      /** Only grants of this user. */
      user_id?: string
      /** Only grants for this MCP server. */
      mcp_server_id?: string
      /** Only grants for this session. */
      session_id?: string
      /** Only grants of this client. */
      client_id?: string
      /** Largest number of items on a page. Default 20; values above 1000 count as 1000. */
      limit?: number
      /** `next_cursor` of the previous page. Omit it for the first page. */
      cursor?: string
    }
    response: {
      /** Items of this page. */
      items: McpClientGrant[]
      /** Value of `cursor` for the next page; null on the last page. */
      next_cursor: string | null
      /** Number of pages at this `limit`. */
      total_pages: number
      /** Number of this page, from 1. */
      current_page: number
      /** Number of items on all pages. */
      total_items: number
    }
  }

  /**
   * List MCP servers of one toolkit.
   *
   * Returns a page of the MCP servers that offer one toolkit.
   *
   * Requires an API key with the permission `sessions: read`.
   */
  "mcp.listForApp": {
    request: {
      /** Slug of the toolkit. */
      app_key: string
      /** Part of the name, in any letter case. */
      name?: string
      /** Slugs of toolkits; servers with any of them. */
      toolkits?: string[]
      /** Ids of auth configs; servers with any of them. */
      auth_config_ids?: string[]
      /** Field to sort by. Default `updated_at`. */
      order_by?: "created_at" | "updated_at"
      /** Sort order. Default `desc`. */
      order_direction?: "asc" | "desc"
      /** Number of the page, from 1. Default 1. */
      page_no?: number | null
      /** Largest number of items on a page. Default 10; values above 100 count as 100. */
      limit?: number | null
    }
    response: {
      /** MCP servers of this page. */
      items: McpServer[]
      /** Number of pages at this `limit`. */
      total_pages: number
      /** Number of this page, from 1. */
      current_page: number
    }
  }

  /**
   * List the instances of an MCP server.
   *
   * Returns a page of the instances of an MCP server: the users that it was set up for.
   *
   * Requires an API key with the permission `sessions: read`.
   *
   * The example needs an MCP server.
   */
  "mcp.listInstances": {
    request: {
      /** Id of the MCP server. */
      server_id: string
      /** Part of the user id, in any letter case. */
      search?: string
      /** Field to sort by. Default `updated_at`. */
      order_by?: "created_at" | "updated_at"
      /** Sort order. Default `desc`. */
      order_direction?: "asc" | "desc"
      /** Number of the page, from 1. Default 1. */
      page_no?: number | null
      /** Largest number of items on a page. Default 20; values above 100 count as 100. */
      limit?: number | null
    }
    response: {
      /** Instances of this page. */
      instances: McpServerInstance[]
      /** Id of the MCP server. */
      server_id: string
      /** Name of the MCP server. */
      server_name: string
      /** Number of pages at this `limit`. */
      total_pages: number
      /** Number of this page, from 1. */
      current_page: number
    }
  }

  /**
   * Read an MCP server.
   *
   * Returns one MCP server.
   *
   * Requires an API key with the permission `sessions: read`.
   *
   * The example needs an MCP server.
   */
  "mcp.read": {
    request: {
      /** Id of the MCP server. */
      id: string
    }
    response: McpServer
  }

  /**
   * Read the identity provider of MCP users.
   *
   * An extension of this server. Returns the OpenID provider at which users of MCP clients sign in, without its secret, and the redirect URI that the provider must allow.
   *
   * Requires an API key with the permission `sessions: read`.
   */
  "mcp.readOpenIdProvider": {
    request: Record<string, never>
    response: {
      provider: McpOpenIdProvider
      /** Redirect URI of this project, to register at the provider. */
      redirect_uri: string
    }
  }

  /**
   * Revoke the grant of a token.
   *
   * Revokes the grant that a token belongs to, with all its tokens, for example when one leaked. The user can sign in again. An expired token revokes its grant, too.
   *
   * Requires an API key with the permission `sessions: write`.
   *
   * The example needs a token.
   */
  "mcp.revokeToken": {
    request: {
      /** Access token or refresh token of an MCP client. */
      token: string
    }
    response: {
      /** Id of the grant. */
      id: string
      /** Always true. */
      deleted: boolean
    }
  }

  /**
   * Set the identity provider of MCP users.
   *
   * An extension of this server. Users of MCP clients sign in at this OpenID provider (authorization code, PKCE, nonce), and the text of a claim is their user id. The metadata of the issuer are read before anything is stored. Without `client_secret` the stored secret stays, unless the issuer or the client id changes.
   *
   * Requires an API key without restrictions.
   *
   * The example needs a provider.
   */
  "mcp.setOpenIdProvider": {
    request: {
      /** Issuer, as the provider writes it, without `/.well-known/openid-configuration`. It must use https; http is for localhost only. */
      issuer: string
      /** Client id of this server at the provider. */
      client_id: string
      /** Client secret; null for a public client. */
      client_secret?: string | null
      /** Name on the sign-in page. Default: the host of the issuer. */
      name?: string
      /** Scopes, with `openid`. Default: `openid`, and those that deliver `user_id_claim`. */
      scopes?: string
      /** Claim whose text is the user id. Default `sub`. `email` counts only if the provider verified it. */
      user_id_claim?: string
    }
    response: {
      provider: McpOpenIdProvider
      /** Redirect URI of this project, to register at the provider. */
      redirect_uri: string
    }
  }

  /**
   * Test an identity provider of MCP users.
   *
   * An extension of this server. Reads the metadata and keys of a provider, and sends a token request with an invalid code, of which the error says whether the provider accepts the client. Stores nothing. Without `client_secret` the stored secret is used, if issuer and client id are the stored ones.
   *
   * Requires an API key without restrictions.
   *
   * The example needs a provider.
   */
  "mcp.testOpenIdProvider": {
    request: {
      /** Issuer, as the provider writes it, without `/.well-known/openid-configuration`. It must use https; http is for localhost only. */
      issuer: string
      /** Client id of this server at the provider. */
      client_id: string
      /** Client secret; null for a public client. */
      client_secret?: string | null
      /** Name on the sign-in page. Default: the host of the issuer. */
      name?: string
      /** Scopes, with `openid`. Default: `openid`, and those that deliver `user_id_claim`. */
      scopes?: string
      /** Claim whose text is the user id. Default `sub`. `email` counts only if the provider verified it. */
      user_id_claim?: string
    }
    response: OpenIdProviderTest
  }

  /**
   * Change an MCP server.
   *
   * Changes the fields that the body contains; all others stay as they are. Connected clients see the new tools with their next request.
   *
   * Requires an API key with the permission `sessions: write`.
   *
   * The example needs an MCP server.
   */
  "mcp.update": {
    request: {
      /** Id of the MCP server. */
      id: string
      /** New name: letters, digits, spaces and hyphens. */
      name?: string
      /** Slugs of toolkits. They replace the stored ones. */
      toolkits?: string[]
      /** Slugs of tools. A toolkit with tools in the list has only these. Tools of other toolkits are added. Empty: every tool of the toolkits. */
      allowed_tools?: string[]
      /** Whether clients see a tool with which users connect their accounts. Default false. */
      managed_auth_via_service?: boolean
      /** Ids of auth configs. They replace the stored ones. */
      auth_config_ids?: string[]
    }
    response: McpServer
  }

  /**
   * Create a new password link for a member.
   *
   * An extension of this server. Returns a one-time link with which the member sets a new password. Earlier links of the member stop working. When it is used, the sessions of the member end.
   *
   * Requires an API key of the organization without restrictions.
   *
   * The example needs a member.
   */
  "members.createLink": {
    request: {
      /** Id of the member, `mbr_…`. */
      member_id: string
    }
    response: {
      /** One-time link with which the member sets a password. Shown only once. */
      url: string
      /** Until when the link can be used. */
      expires_at: string
    }
  }

  /**
   * Remove a member.
   *
   * An extension of this server. Removes a member and ends the sessions of this person at once. The last owner cannot be removed.
   *
   * Requires an API key of the organization without restrictions.
   *
   * The example needs a member.
   */
  "members.delete": {
    request: {
      /** Id of the member, `mbr_…`. */
      member_id: string
    }
    response: {
      /** Always true. */
      success: boolean
    }
  }

  /**
   * Invite a member.
   *
   * An extension of this server. Creates a member and a one-time link, valid for seven days, with which the person sets a password. The server sends no e-mail: pass the link on over a channel that only this person reads.
   *
   * Requires an API key of the organization without restrictions.
   */
  "members.invite": {
    request: {
      /** E-mail address, with which the member signs in. */
      email: string
      /** Name of the member. */
      name: string
      /** `owner` and `admin` may use every project and manage members; only an owner may change owners. `member`: see `projects`. */
      role: "owner" | "admin" | "member"
      /** Roles in projects, for the role `member`. */
      projects?: ({
        /** Id of the project, `proj_…`. */
        project_id: string
        /** `developer`: tools, toolkits, accounts, sessions and triggers. `operator`: accounts and approvals. `viewer`: read only. */
        role: "developer" | "operator" | "viewer"
      })[]
    }
    response: {
      member: Member
      /** One-time link with which the member sets a password. Shown only once. */
      url: string
      /** Until when the link can be used. */
      expires_at: string
    }
  }

  /**
   * List members.
   *
   * An extension of this server. Returns the people who may sign in to the console, by e-mail address, with their roles.
   *
   * Requires an API key of the organization without restrictions.
   */
  "members.list": {
    request: Record<string, never>
    response: {
      /** Members of the organization. */
      items: Member[]
    }
  }

  /**
   * Change the roles of a member.
   *
   * An extension of this server. Changes what the body contains; `projects` replaces all roles in projects. The change applies to the next request of the member. The last owner stays an owner.
   *
   * Requires an API key of the organization without restrictions.
   *
   * The example needs a member.
   */
  "members.update": {
    request: {
      /** Id of the member, `mbr_…`. */
      member_id: string
      /** Name of the member. */
      name?: string
      /** `owner` and `admin` may use every project and manage members; only an owner may change owners. `member`: see `projects`. */
      role?: "owner" | "admin" | "member"
      /** Roles in projects, for the role `member`. */
      projects?: ({
        /** Id of the project, `proj_…`. */
        project_id: string
        /** `developer`: tools, toolkits, accounts, sessions and triggers. `operator`: accounts and approvals. `viewer`: read only. */
        role: "developer" | "operator" | "viewer"
      })[]
    }
    response: Member
  }

  /**
   * Delete a memory.
   *
   * An extension of this server. Deletes what agents noted about a user and a toolkit.
   *
   * Requires an API key with the permission `sessions: write`.
   *
   * The example needs a memory.
   */
  "memories.delete": {
    request: {
      /** Id of the memory, `mem_…`. */
      memory_id: string
    }
    response: {
      /** Always true: a failure returns an error envelope. */
      success: boolean
    }
  }

  /**
   * List memories.
   *
   * An extension of this server. Returns what agents noted about users, by user and toolkit, newest change first. Search in a session returns these sentences to the agent.
   *
   * Requires an API key with the permission `sessions: read`.
   */
  "memories.list": {
    request: {
      /** Largest number of items on a page. Default 20; values above 1000 count as 1000. */
      limit?: number
      /** `next_cursor` of the previous page. Omit it for the first page. */
      cursor?: string
      /** Only those of this user. */
      user_id?: string
    }
    response: {
      /** Items of this page. */
      items: StoredMemory[]
      /** Value of `cursor` for the next page; null on the last page. */
      next_cursor: string | null
      /** Number of pages at this `limit`. */
      total_pages: number
      /** Number of this page, from 1. */
      current_page: number
      /** Number of items on all pages. */
      total_items: number
    }
  }

  /**
   * Query calls, errors and latency over time.
   *
   * An extension of this server. Computes a metric of tool executions from the execution log, in steps of equal length. Dry runs do not count. Steps without executions have the value 0, or null for `latency`. Covers as much time as the log (`LOG_RETENTION_DAYS`).
   *
   * Requires an API key with the permission `observability: read`.
   */
  "metrics.query": {
    request: {
      /** `calls` and `errors` count executions; `latency` is a quantile of their duration. */
      metric: "calls" | "errors" | "latency"
      /** Quantile of the duration, for `latency` only. Default 0.95. */
      quantile?: number
      /** Begin of the period, in milliseconds since 1970 (UTC). Default: 24 hours before `to`. */
      from?: number
      /** End of the period, in milliseconds since 1970 (UTC), exclusive. Default: now. */
      to?: number
      /** Length of a step. Default `1h`. The period may have 2,016 steps. */
      bucket?: "1m" | "5m" | "1h" | "6h" | "1d"
      /** Field with one series for each value. Default: one series of all. */
      group_by?: "tool_slug" | "toolkit_slug" | "user_id" | "connected_account_id" | "auth_config_id" | "session_id" | "status"
      /** Largest number of series, those with most calls first. Default 10. */
      limit?: number
      /** Filters as in the log search. Several with `==` on one field are alternatives. */
      filters?: ({
        /** Field to compare. */
        field: "tool_slug" | "toolkit_slug" | "connected_account_id" | "auth_config_id" | "status" | "user_id" | "session_id" | "sandbox_id" | "request_id" | "log_id"
        /** Comparison. */
        operator: "==" | "!="
        /** Value to compare with. At most 1024 characters. */
        value: string
      })[]
    }
    response: {
      /** Metric of the values. */
      metric: string
      /** Unit of the values. */
      unit: "call" | "ms"
      /** Begin of the first step. */
      from: string
      /** End of the period, exclusive. */
      to: string
      /** Length of a step in milliseconds. */
      bucket_ms: number
      /** Series, the one with most calls first. */
      series: ({
        /** Value of the field of `group_by`; null for none. */
        key: string | null
        /** Number of executions in the period. */
        calls: number
        /** One value for each step, oldest first. */
        points: ({
          /** Begin of the step. */
          at: string
          /** Number of executions, or the duration in milliseconds; null without a finished execution. */
          value: number | null
        })[]
      })[]
    }
  }

  /**
   * Convert a legacy UUID to an id.
   *
   * Returns the current id of a resource that was stored with a legacy UUID. A deleted resource returns `Migration_Gone`.
   *
   * Requires an API key without restrictions.
   *
   * The example needs a resource with a legacy UUID.
   */
  "migration.getNanoid": {
    request: {
      /** Legacy UUID of the resource. */
      uuid: string
      /** Kind of the resource. */
      type: "CONNECTED_ACCOUNT" | "AUTH_CONFIG" | "TRIGGER_INSTANCE"
    }
    response: {
      /** Current id of the resource. */
      nanoid: string
    }
  }

  /**
   * Create an API key of the organization.
   *
   * An extension of this server. Creates a further key of the organization, optionally limited to permissions, IP addresses and a time. A key with `api_keys: write` can create keys without restrictions in every project. Store the key: later responses mask it.
   *
   * Requires an API key of the organization without restrictions.
   */
  "orgKeys.create": {
    request: {
      /** Name of the key. Default: two random words. */
      name?: string
      /** Levels by permission area. Default: an unrestricted key. They cannot be changed later. */
      permissions?: {
        /** Levels for the area `projects`. */
        projects?: ("read" | "write")[]
        /** Levels for the area `api_keys`. */
        api_keys?: ("read" | "write")[]
        /** Levels for the area `usage`. */
        usage?: "read"[]
        /** Levels for the area `incidents`. */
        incidents?: ("read" | "write")[]
        /** Levels for the area `audit_log`. */
        audit_log?: "read"[]
      }
      /** IP addresses and CIDR ranges that may use the key. Default: all. */
      allowed_ips?: string[]
      /** When the key expires: a time in the future. Default: never. */
      expires_at?: string
    }
    response: {
      /** Id of the key. */
      id: string
      /** Name of the key. */
      name: string
      /** The key. Readable in the response that creates it, and in v3 in responses about the project; otherwise masked. */
      key: string
      /** When the key was created. */
      created_at: string
      /** Levels by permission area; null for an unrestricted key. */
      permissions: Record<string, unknown>
      /** IP addresses and CIDR ranges that may use the key. Empty: all. */
      allowed_ips: string[]
      /** When the key expires, or expired; null for never. Expired keys are listed for 30 days. */
      expires_at: string | null
      /** When the key was last used, to about two minutes; null for never. */
      last_used_at: string | null
      /** Id of the key that a rotation created in place of this one; null for none. */
      replaced_by: string | null
    }
  }

  /**
   * Revoke an API key of the organization.
   *
   * An extension of this server. Revokes one API key of the organization. Calls with it fail at once. The last key without restrictions cannot be revoked: rotate it.
   *
   * Requires an API key of the organization without restrictions.
   *
   * The example needs a second key of the organization.
   */
  "orgKeys.delete": {
    request: {
      /** Id of the key, `key_…`. */
      key_id: string
    }
    response: {
      /** Always true: a failure returns an error envelope. */
      success: boolean
    }
  }

  /**
   * List the API keys of the organization.
   *
   * An extension of this server. Returns the API keys of the organization, masked.
   *
   * Requires an API key of the organization without restrictions.
   */
  "orgKeys.list": {
    request: Record<string, never>
    response: {
      /** API keys of the organization, masked, oldest first. */
      items: ({
        /** Id of the key. */
        id: string
        /** Name of the key. */
        name: string
        /** The key. Readable in the response that creates it, and in v3 in responses about the project; otherwise masked. */
        key: string
        /** When the key was created. */
        created_at: string
        /** Levels by permission area; null for an unrestricted key. */
        permissions: Record<string, unknown>
        /** IP addresses and CIDR ranges that may use the key. Empty: all. */
        allowed_ips: string[]
        /** When the key expires, or expired; null for never. Expired keys are listed for 30 days. */
        expires_at: string | null
        /** When the key was last used, to about two minutes; null for never. */
        last_used_at: string | null
        /** Id of the key that a rotation created in place of this one; null for none. */
        replaced_by: string | null
      })[]
    }
  }

  /**
   * Replace an API key of the organization.
   *
   * An extension of this server. Creates a key with the name, permissions and IP addresses of an existing one, which expires after `overlap_seconds`. Store the new key: later responses mask it.
   *
   * Requires an API key of the organization without restrictions.
   *
   * The example needs a key of the organization.
   */
  "orgKeys.rotate": {
    request: {
      /** Id of the key, `key_…`. */
      key_id: string
      /** How long the earlier key stays valid, in seconds: at most 30 days, and not longer than it would have been. Default: 86400, one day. 0 revokes it at once. */
      overlap_seconds?: number
      /** When the new key expires: a time in the future. Default: after the same time as the key that it replaces. */
      expires_at?: string
    }
    response: {
      /** Id of the key. */
      id: string
      /** Name of the key. */
      name: string
      /** The key. Readable in the response that creates it, and in v3 in responses about the project; otherwise masked. */
      key: string
      /** When the key was created. */
      created_at: string
      /** Levels by permission area; null for an unrestricted key. */
      permissions: Record<string, unknown>
      /** IP addresses and CIDR ranges that may use the key. Empty: all. */
      allowed_ips: string[]
      /** When the key expires, or expired; null for never. Expired keys are listed for 30 days. */
      expires_at: string | null
      /** When the key was last used, to about two minutes; null for never. */
      last_used_at: string | null
      /** Id of the key that a rotation created in place of this one; null for none. */
      replaced_by: string | null
    }
  }

  /**
   * Read the health of the project at a glance.
   *
   * An extension of this server, for dashboards. Returns executions, errors and durations of a period with those of the period before, and how many accounts, approvals, triggers and webhooks need attention now. It contains numbers only, no data of users.
   *
   * Requires an API key with the permission `observability: read`.
   */
  "overview.show": {
    request: {
      /** Period of the numbers: `24h` (default), `7d` or `30d`. */
      range?: "24h" | "7d" | "30d"
    }
    response: Overview
  }

  /**
   * Get the next message of the language model.
   *
   * An extension of this server. Sends a conversation and tools to the language model of the project, and returns its next message. The caller runs the tools, for example with `sessions.execute`, and sends their results in the next call. Nothing is stored.
   *
   * Requires an API key with the permission `sessions: write`.
   *
   * The example needs a language model.
   */
  "playground.chat": {
    request: {
      /** The conversation so far. */
      messages: ({
        /** Who wrote the message. */
        role: "system" | "user" | "assistant" | "tool"
        /** Text of the message; null for none. */
        content: string | null
        /** Calls that the model makes in this message. */
        tool_calls?: {
          /** Id of the call, which the model chose. */
          id: string
          /** Always `function`. */
          type: "function"
          /** The tool and its arguments. */
          function: {
            /** Name of the tool. */
            name: string
            /** Arguments as JSON text. */
            arguments: string
          }
        }[]
        /** Id of the call that a message of the role `tool` answers. */
        tool_call_id?: string
      })[]
      /** Tools that the model may call. */
      tools?: {
        /** Always `function`. */
        type: "function"
        /** The tool. */
        function: {
          /** Name of the tool. */
          name: string
          /** What the tool does. */
          description?: string
          /** JSON Schema of the arguments. */
          parameters?: Record<string, unknown>
        }
      }[]
    }
    response: {
      /** The next message, of the role `assistant`. */
      message: {
        /** Who wrote the message. */
        role: "system" | "user" | "assistant" | "tool"
        /** Text of the message; null for none. */
        content: string | null
        /** Calls that the model makes in this message. */
        tool_calls?: {
          /** Id of the call, which the model chose. */
          id: string
          /** Always `function`. */
          type: "function"
          /** The tool and its arguments. */
          function: {
            /** Name of the tool. */
            name: string
            /** Arguments as JSON text. */
            arguments: string
          }
        }[]
        /** Id of the call that a message of the role `tool` answers. */
        tool_call_id?: string
      }
      /** Why the message ends, as the API of the model says. */
      finish_reason: string
    }
  }

  /**
   * Remove the language model of the playground.
   *
   * An extension of this server. Removes the language model of the project and its key.
   *
   * Requires an API key without restrictions.
   */
  "playground.deleteModel": {
    request: Record<string, never>
    response: {
      /** Always true. */
      success: boolean
    }
  }

  /**
   * Read the language model of the playground.
   *
   * An extension of this server. Returns the language model with which agents run in the playground of the console, without its key.
   *
   * Requires an API key with the permission `sessions: read`.
   */
  "playground.readModel": {
    request: Record<string, never>
    response: {
      model: ProjectModel
    }
  }

  /**
   * Set the language model of the playground.
   *
   * An extension of this server. Stores URL, model and key; the key is encrypted and never returned. Without `api_key` the stored key stays, unless the URL changes: a key is sent only to the URL that it was stored with.
   *
   * Requires an API key without restrictions.
   */
  "playground.setModel": {
    request: {
      /** URL of an OpenAI-compatible API, with its version. Requests go to `/chat/completions` below it. */
      base_url: string
      /** Name of the model. */
      model: string
      /** Key of the API, sent as `Authorization: Bearer`; null for none. */
      api_key?: string | null
    }
    response: {
      model: ProjectModel
    }
  }

  /**
   * Preview the decision of the policies for a call.
   *
   * Returns the decision of the policies for a call, and the policies that match it. Nothing is executed and no approval is requested.
   *
   * Requires an API key without restrictions.
   */
  "policies.check": {
    request: {
      /** Slug of the tool, or `PROXY_EXECUTE` for a proxy request. */
      tool_slug: string
      /** Arguments of the call. */
      arguments?: Record<string, unknown>
      /** Id of the user that the call is for. */
      user_id?: string
      /** Id of the connected account, `ca_…`. */
      connected_account_id?: string
      /** Id of the session, `trs_…`. */
      session_id?: string
      /** Toolkit of the account, for `PROXY_EXECUTE`. */
      toolkit_slug?: string
    }
    response: {
      /** Decision for this call. */
      outcome: "allow" | "ask" | "deny"
      /** Policies that match the call. */
      policies: ({
        /** Id of the policy, `pol_…`. */
        id: string
        /** Display name of the policy. */
        name: string
        /** Decision of the policy. */
        outcome: "allow" | "ask" | "deny"
        /** Whether the policy applies only to calls that no other policy matches. */
        fallback: boolean
        /** False when the server cannot tell whether the policy matches; it then applies. */
        certain: boolean
      })[]
    }
  }

  /**
   * Create a policy.
   *
   * Creates a policy that allows, denies, or asks a person about matching calls. It applies to the next call. A project may have 100 policies.
   *
   * Requires an API key without restrictions.
   */
  "policies.create": {
    request: {
      /** Display name of the policy. */
      name: string
      /** Decision. `deny` takes precedence over `ask`, and `ask` over `allow`. */
      outcome: "allow" | "ask" | "deny"
      /** Calls that the policy applies to. Default: every call. */
      when?: {
        /** Slugs of tools, current or former. `PROXY_EXECUTE` means proxy requests. */
        tools?: string[]
        /** Slugs of toolkits. */
        toolkits?: string[]
        /** Tools with any of these hints. */
        hints?: ("readOnlyHint" | "createHint" | "updateHint" | "destructiveHint" | "idempotentHint" | "openWorldHint")[]
        /** Ids of the users that calls are for. */
        user_ids?: string[]
        /** Ids of the connected accounts that calls use. */
        connected_account_ids?: string[]
        /** Ids of the sessions that calls are made in. */
        session_ids?: string[]
        /** Whether the tool sends data out or changes something: tools that create, update or delete, and tools that pass their arguments to a server or a search engine of others. */
        sends_data?: boolean
        /** Calls in a session that has read content which other people wrote. Empty: content of any kind. */
        untrusted_content?: {
          /** Only content of these kinds. Default: all. */
          categories?: ("mail" | "chat" | "web" | "issues" | "files" | "social" | "calendar" | "forms" | "records" | "stored")[]
          /** Only content that tools of these toolkits returned. */
          toolkits?: string[]
          /** Ignore calls outside of sessions and MCP servers. Default false: what their caller has read is unknown, so a policy that asks or denies applies to them. */
          traced_only?: boolean
        }
        /** Tests of arguments; all of them must match. */
        arguments?: ({
          /** Path of the argument: `amount`, `message.to`, or `to[].email` for every item of a list. */
          path: string
          /** The argument equals this value. */
          equals?: string | number | boolean
          /** The argument is one of these values. */
          one_of?: (string | number | boolean)[]
          /** The argument contains this text. */
          contains?: string
          /** Whether the argument is present. */
          exists?: boolean
          /** The argument is a number larger than this, or text that holds one. */
          above?: number
          /** The argument is a number smaller than this, or text that holds one. */
          below?: number
          /** At least one recipient is none of these: domains (`example.com`), e-mail addresses, or names as the argument spells them. */
          outside?: string[]
          /** Every recipient is one of these. */
          within?: string[]
        })[]
      }
      /** Whether the policy applies. Default true. */
      enabled?: boolean
      /** Apply the policy only to calls that no other policy matches. Default false. */
      fallback?: boolean
      /** Text for the caller, and for the person who decides; null for none. */
      message?: string | null
      /** Whether a policy that asks or denies also applies to proxy requests, which might do the same as a matching tool. Default true. */
      covers_proxy?: boolean
      /** Time for a decision, and time in which an approved call must be made, in seconds. Default 600. */
      approval_seconds?: number
      /** Whether the caller receives the URL of a page on which a person decides. A person who has the URL can decide, so an agent that can open pages could approve its own calls. Default false: create the link with `approvals.link` and send it to a person. */
      approval_link?: boolean
    }
    response: Policy
  }

  /**
   * Delete a policy.
   *
   * Deletes a policy. Approvals that it requested stay valid until they expire.
   *
   * Requires an API key without restrictions.
   *
   * The example needs a policy.
   */
  "policies.delete": {
    request: {
      /** Id of the policy, `pol_…`. */
      policy_id: string
    }
    response: {
      /** Always true: a failure returns an error envelope. */
      success: boolean
    }
  }

  /**
   * List policies, oldest first.
   *
   * Returns a page of the policies of the project, oldest first.
   *
   * Requires an API key without restrictions.
   */
  "policies.list": {
    request: {
      /** Largest number of items on a page. Default 20; values above 1000 count as 1000. */
      limit?: number
      /** `next_cursor` of the previous page. Omit it for the first page. */
      cursor?: string
    }
    response: {
      /** Items of this page. */
      items: Policy[]
      /** Value of `cursor` for the next page; null on the last page. */
      next_cursor: string | null
      /** Number of pages at this `limit`. */
      total_pages: number
      /** Number of this page, from 1. */
      current_page: number
      /** Number of items on all pages. */
      total_items: number
    }
  }

  /**
   * Read a policy.
   *
   * Returns one policy.
   *
   * Requires an API key without restrictions.
   *
   * The example needs a policy.
   */
  "policies.read": {
    request: {
      /** Id of the policy, `pol_…`. */
      policy_id: string
    }
    response: Policy
  }

  /**
   * Change a policy.
   *
   * Changes the fields that the body contains; all others stay as they are. `when` is replaced as a whole.
   *
   * Requires an API key without restrictions.
   *
   * The example needs a policy.
   */
  "policies.update": {
    request: {
      /** Id of the policy, `pol_…`. */
      policy_id: string
      /** Display name of the policy. */
      name?: string
      /** Decision. `deny` takes precedence over `ask`, and `ask` over `allow`. */
      outcome?: "allow" | "ask" | "deny"
      /** Whether the policy applies. Default true. */
      enabled?: boolean
      /** Apply the policy only to calls that no other policy matches. Default false. */
      fallback?: boolean
      /** Text for the caller, and for the person who decides; null for none. */
      message?: string | null
      /** Whether a policy that asks or denies also applies to proxy requests, which might do the same as a matching tool. Default true. */
      covers_proxy?: boolean
      /** Time for a decision, and time in which an approved call must be made, in seconds. Default 600. */
      approval_seconds?: number
      /** Whether the caller receives the URL of a page on which a person decides. A person who has the URL can decide, so an agent that can open pages could approve its own calls. Default false: create the link with `approvals.link` and send it to a person. */
      approval_link?: boolean
      /** Calls that the policy applies to. The whole object is replaced. */
      when?: {
        /** Slugs of tools, current or former. `PROXY_EXECUTE` means proxy requests. */
        tools?: string[]
        /** Slugs of toolkits. */
        toolkits?: string[]
        /** Tools with any of these hints. */
        hints?: ("readOnlyHint" | "createHint" | "updateHint" | "destructiveHint" | "idempotentHint" | "openWorldHint")[]
        /** Ids of the users that calls are for. */
        user_ids?: string[]
        /** Ids of the connected accounts that calls use. */
        connected_account_ids?: string[]
        /** Ids of the sessions that calls are made in. */
        session_ids?: string[]
        /** Whether the tool sends data out or changes something: tools that create, update or delete, and tools that pass their arguments to a server or a search engine of others. */
        sends_data?: boolean
        /** Calls in a session that has read content which other people wrote. Empty: content of any kind. */
        untrusted_content?: {
          /** Only content of these kinds. Default: all. */
          categories?: ("mail" | "chat" | "web" | "issues" | "files" | "social" | "calendar" | "forms" | "records" | "stored")[]
          /** Only content that tools of these toolkits returned. */
          toolkits?: string[]
          /** Ignore calls outside of sessions and MCP servers. Default false: what their caller has read is unknown, so a policy that asks or denies applies to them. */
          traced_only?: boolean
        }
        /** Tests of arguments; all of them must match. */
        arguments?: ({
          /** Path of the argument: `amount`, `message.to`, or `to[].email` for every item of a list. */
          path: string
          /** The argument equals this value. */
          equals?: string | number | boolean
          /** The argument is one of these values. */
          one_of?: (string | number | boolean)[]
          /** The argument contains this text. */
          contains?: string
          /** Whether the argument is present. */
          exists?: boolean
          /** The argument is a number larger than this, or text that holds one. */
          above?: number
          /** The argument is a number smaller than this, or text that holds one. */
          below?: number
          /** At least one recipient is none of these: domains (`example.com`), e-mail addresses, or names as the argument spells them. */
          outside?: string[]
          /** Every recipient is one of these. */
          within?: string[]
        })[]
      }
    }
    response: Policy
  }

  /**
   * Read the settings of the project.
   *
   * Returns the settings of the project of the key.
   *
   * Requires an API key without restrictions.
   */
  "projectConfig.read": {
    request: Record<string, never>
    response: ProjectConfig
  }

  /**
   * Change settings of the project.
   *
   * Changes the settings that the body contains; all others stay as they are. Returns all settings.
   *
   * Requires an API key without restrictions.
   */
  "projectConfig.update": {
    request: {
      /** Whether a call that names a connected account must name its owner in `user_id`, too. Without it, a call may name the account alone, and its owner is the user of the call. Default false. */
      is_2FA_enabled?: boolean
      /** URL of the logo on hosted pages; null for none. */
      logo_url?: string | null
      /** Name on hosted pages; null for the name of the project. */
      display_name?: string | null
      /** Colour of buttons and links on hosted pages, as `#rrggbb`; null for the default. It is made darker or lighter where it would not be readable. An addition of this server. */
      accent_color?: string | null
      /** URL of your support, linked on hosted pages; null for none. An addition of this server. */
      support_url?: string | null
      /** URL of your privacy policy, linked on hosted pages; null for none. An addition of this server. */
      privacy_url?: string | null
      /** Whether responses mask the secrets of custom connections. Default true. */
      mask_secret_keys_in_connected_account?: boolean
      /** `dont_store_data`: execution logs hold no arguments and results. Default `show_all`. */
      log_visibility_setting?: "show_all" | "dont_store_data"
      /** Whether MCP clients have to send `x-api-key` or the token of a user. Default true. With false, anyone who knows the URL of an MCP server or session calls its tools as any user that the URL names. */
      require_mcp_api_key?: boolean
      /**
       * Deprecated: whether managed connections use the hosted page. Default true.
       * @deprecated
       */
      is_service_link_enabled_for_managed_auth?: boolean
      /** Lifetime of file URLs, in seconds. Default 3600. URLs are valid for at most seven days. */
      signed_url_file_expiry_in_seconds?: number
      /** Whether triggers run. With false, applications are not polled and their webhooks make no events; polls continue afterwards where they ended. Default true. An addition of this server. */
      triggers_enabled?: boolean
      /** Number of days for which events can be read and replayed. Default 30. An addition of this server. */
      event_retention_days?: number
      /** Whether searches in sessions rank tools higher that the project called successfully in the last 30 days. Only numbers of calls are read. Default true. An addition of this server. */
      rank_tools_by_use?: boolean
      /** Form of the parameters of tools and trigger types under /api/v3. `map`: a map of names to descriptions. `json_schema`: JSON Schema, as under /api/v3.1. Null, the default: `map`, or `json_schema` on a server with WIRE_BRAND. An addition of this server. */
      v3_parameter_format?: "map" | "json_schema" | null
      /** URL of your application that signs users in for MCP clients; null for none. An addition of this server. */
      mcp_sign_in_url?: string | null
      /** URL of your application that confirms the user of a connection; null for none. An addition of this server. */
      identity_verification_url?: string | null
    }
    response: ProjectConfig
  }

  /**
   * Create an API key.
   *
   * Creates a further API key, optionally limited to permissions, IP addresses and a time. They cannot be changed later. Store the key, because later responses mask it, except in v3.
   *
   * Requires an API key of the organization with the permission `api_keys: write`.
   *
   * The example needs a project.
   */
  "projectKeys.create": {
    request: {
      /** Id of the project, `proj_…`. */
      nano_id: string
      /** Name of the key. Default: two random words. */
      name?: string
      /** Levels by permission area. Default: an unrestricted key. They cannot be changed later. */
      permissions?: {
        /** Levels for the area `auth_configs`. */
        auth_configs?: ("read" | "write")[]
        /** Levels for the area `connected_accounts`. */
        connected_accounts?: ("read" | "write")[]
        /** Levels for the area `tools`. */
        tools?: "read"[]
        /** Levels for the area `tool_execution`. */
        tool_execution?: "write"[]
        /** Levels for the area `proxy_execute`. */
        proxy_execute?: "write"[]
        /** Levels for the area `toolkits`. */
        toolkits?: ("read" | "write")[]
        /** Levels for the area `triggers`. */
        triggers?: ("read" | "write")[]
        /** Levels for the area `webhooks`. */
        webhooks?: ("read" | "write")[]
        /** Levels for the area `observability`. */
        observability?: "read"[]
        /** Levels for the area `sessions`. */
        sessions?: ("read" | "write")[]
        /** Levels for the area `approvals`. */
        approvals?: ("read" | "write")[]
        /** Levels for the area `audit_log`. */
        audit_log?: "read"[]
      }
      /** IP addresses and CIDR ranges that may use the key. Default: all. */
      allowed_ips?: string[]
      /** When the key expires: a time in the future. Default: never. */
      expires_at?: string
    }
    response: {
      /** Id of the key. */
      id: string
      /** Name of the key. */
      name: string
      /** The key. Readable in the response that creates it, and in v3 in responses about the project; otherwise masked. */
      key: string
      /** When the key was created. */
      created_at: string
      /** Levels by permission area; null for an unrestricted key. */
      permissions: Record<string, unknown>
      /** IP addresses and CIDR ranges that may use the key. Empty: all. */
      allowed_ips: string[]
      /** When the key expires, or expired; null for never. Expired keys are listed for 30 days. */
      expires_at: string | null
      /** When the key was last used, to about two minutes; null for never. */
      last_used_at: string | null
      /** Id of the key that a rotation created in place of this one; null for none. */
      replaced_by: string | null
    }
  }

  /**
   * Revoke an API key.
   *
   * Revokes one API key. Calls with it fail at once.
   *
   * Requires an API key of the organization with the permission `api_keys: write`.
   *
   * The example needs an API key.
   */
  "projectKeys.delete": {
    request: {
      /** Id of the project, `proj_…`. */
      nano_id: string
      /** Id of the key, `key_…`. */
      key_id: string
    }
    response: {
      /** Always true: a failure returns an error envelope. */
      success: boolean
    }
  }

  /**
   * List the API keys of a project.
   *
   * Returns the API keys of a project. The keys are masked.
   *
   * Requires an API key of the organization with the permission `api_keys: read`.
   *
   * The example needs a project.
   */
  "projectKeys.list": {
    request: {
      /** Id of the project, `proj_…`. */
      nano_id: string
    }
    response: {
      /** API keys of the project, masked. */
      items: ({
        /** Id of the key. */
        id: string
        /** Name of the key. */
        name: string
        /** The key. Readable in the response that creates it, and in v3 in responses about the project; otherwise masked. */
        key: string
        /** When the key was created. */
        created_at: string
        /** Levels by permission area; null for an unrestricted key. */
        permissions: Record<string, unknown>
        /** IP addresses and CIDR ranges that may use the key. Empty: all. */
        allowed_ips: string[]
        /** When the key expires, or expired; null for never. Expired keys are listed for 30 days. */
        expires_at: string | null
        /** When the key was last used, to about two minutes; null for never. */
        last_used_at: string | null
        /** Id of the key that a rotation created in place of this one; null for none. */
        replaced_by: string | null
      })[]
    }
  }

  /**
   * Revoke leaked API keys.
   *
   * Revokes API keys of projects and organizations that were found in public. Needs no credential: who has a key may end it. The response is the same for texts that are no keys. The last key of an organization without restrictions stays.
   */
  "projectKeys.reportLeaked": {
    request: {
      /** The keys that were found. */
      api_keys: string[]
    }
    response: {
      /** Always true. */
      received: boolean
    }
  }

  /**
   * Replace an API key, with a time in which both are valid.
   *
   * An extension of this server. Creates a key with the name, permissions and IP addresses of an existing one, which expires after `overlap_seconds`. Store the new key: later responses mask it.
   *
   * Requires an API key of the organization with the permission `api_keys: write`.
   *
   * The example needs an API key.
   */
  "projectKeys.rotate": {
    request: {
      /** Id of the project, `proj_…`. */
      nano_id: string
      /** Id of the key, `key_…`. */
      key_id: string
      /** How long the earlier key stays valid, in seconds: at most 30 days, and not longer than it would have been. Default: 86400, one day. 0 revokes it at once. */
      overlap_seconds?: number
      /** When the new key expires: a time in the future. Default: after the same time as the key that it replaces. */
      expires_at?: string
    }
    response: {
      /** Id of the key. */
      id: string
      /** Name of the key. */
      name: string
      /** The key. Readable in the response that creates it, and in v3 in responses about the project; otherwise masked. */
      key: string
      /** When the key was created. */
      created_at: string
      /** Levels by permission area; null for an unrestricted key. */
      permissions: Record<string, unknown>
      /** IP addresses and CIDR ranges that may use the key. Empty: all. */
      allowed_ips: string[]
      /** When the key expires, or expired; null for never. Expired keys are listed for 30 days. */
      expires_at: string | null
      /** When the key was last used, to about two minutes; null for never. */
      last_used_at: string | null
      /** Id of the key that a rotation created in place of this one; null for none. */
      replaced_by: string | null
    }
  }

  /**
   * Create a project.
   *
   * Creates a project. Projects separate users, connections, keys and logs. Returns an API key when `should_create_api_key` is true. Store it: v3.1 does not return it again.
   *
   * Requires an API key of the organization with the permission `projects: write`.
   */
  "projects.create": {
    request: {
      /** Name of the project, unique in the organization: letters, digits, `_` and `-`. */
      name: string
      /** Also create an API key. Default false. */
      should_create_api_key?: boolean
      /** Settings of the project. Settings that are left out have their default. */
      config?: ({
        /** Whether a call that names a connected account must name its owner in `user_id`, too. Without it, a call may name the account alone, and its owner is the user of the call. Default false. */
        is_2FA_enabled?: boolean
        /** URL of the logo on hosted pages; null for none. */
        logo_url?: string | null
        /** Name on hosted pages; null for the name of the project. */
        display_name?: string | null
        /** Colour of buttons and links on hosted pages, as `#rrggbb`; null for the default. It is made darker or lighter where it would not be readable. An addition of this server. */
        accent_color?: string | null
        /** URL of your support, linked on hosted pages; null for none. An addition of this server. */
        support_url?: string | null
        /** URL of your privacy policy, linked on hosted pages; null for none. An addition of this server. */
        privacy_url?: string | null
        /** Whether responses mask the secrets of custom connections. Default true. */
        mask_secret_keys_in_connected_account?: boolean
        /** `dont_store_data`: execution logs hold no arguments and results. Default `show_all`. */
        log_visibility_setting?: "show_all" | "dont_store_data"
        /** Whether MCP clients have to send `x-api-key` or the token of a user. Default true. With false, anyone who knows the URL of an MCP server or session calls its tools as any user that the URL names. */
        require_mcp_api_key?: boolean
        /**
         * Deprecated: whether managed connections use the hosted page. Default true.
         * @deprecated
         */
        is_service_link_enabled_for_managed_auth?: boolean
        /** Lifetime of file URLs, in seconds. Default 3600. URLs are valid for at most seven days. */
        signed_url_file_expiry_in_seconds?: number
        /** Whether triggers run. With false, applications are not polled and their webhooks make no events; polls continue afterwards where they ended. Default true. An addition of this server. */
        triggers_enabled?: boolean
        /** Number of days for which events can be read and replayed. Default 30. An addition of this server. */
        event_retention_days?: number
        /** Whether searches in sessions rank tools higher that the project called successfully in the last 30 days. Only numbers of calls are read. Default true. An addition of this server. */
        rank_tools_by_use?: boolean
        /** Form of the parameters of tools and trigger types under /api/v3. `map`: a map of names to descriptions. `json_schema`: JSON Schema, as under /api/v3.1. Null, the default: `map`, or `json_schema` on a server with WIRE_BRAND. An addition of this server. */
        v3_parameter_format?: "map" | "json_schema" | null
        /** URL of your application that signs users in for MCP clients; null for none. An addition of this server. */
        mcp_sign_in_url?: string | null
        /** URL of your application that confirms the user of a connection; null for none. An addition of this server. */
        identity_verification_url?: string | null
      }) & ({
        /** Whether `user_id` must be the owner of the connected account that a call uses. */
        is_2FA_enabled: boolean
        /** Whether responses mask the secrets of custom connections. */
        mask_secret_keys_in_connected_account: boolean
        /** `dont_store_data`: execution logs hold no arguments and results. Default `show_all`. */
        log_visibility_setting: "show_all" | "dont_store_data"
      })
    }
    response: {
      /** Id of the project, `proj_…`. */
      id: string
      /** Name of the project. */
      name: string
      /** API key of the project; null without `should_create_api_key`. */
      api_key: string | null
    }
  }

  /**
   * Create a demo project.
   *
   * An extension of this server. Creates a project whose applications are simulated, and fills it with accounts, a week of executions, a policy, a pending approval, a trigger and a session. No request of the project reaches an application. An organization has one demo project; delete the project to remove all of it.
   *
   * Requires an API key of the organization with the permission `projects: write`.
   */
  "projects.createDemo": {
    request: Record<string, never>
    response: {
      /** Id of the project, `proj_…`. */
      id: string
      /** Name of the project. */
      name: string
    }
  }

  /**
   * Delete a project.
   *
   * Deletes a project. Its keys stop working at once, and it receives, sends and refreshes nothing more. A background job revokes the access of its accounts at the providers and erases its data; GET /org/owner/project/{nano_id}/deletion returns the progress. The last project of an organization cannot be deleted.
   *
   * Requires an API key of the organization with the permission `projects: write`.
   *
   * The example needs a second project.
   */
  "projects.delete": {
    request: {
      /** Id of the project, `proj_…`. */
      nano_id: string
    }
    response: {
      /** Always `success`. */
      status: string
    }
  }

  /**
   * Export everything a project owns.
   *
   * An extension of this server. Returns a page of everything that the deletion of the project of the key would erase as NDJSON text, without credentials, keys and other secrets. Append pages to make the file. Its last line has the type `end`, the number of rows of each table and a digest of all lines, so that an interrupted export is recognized. Each page is an entry of the audit log.
   *
   * Requires an API key without restrictions.
   */
  "projects.export": {
    request: {
      /** Largest number of rows on a page. Default 200; values above 1000 count as 1000. */
      limit?: number
      /** `next_cursor` of the previous page. Omit it for the first page. */
      cursor?: string | null
    }
    response: {
      /** One JSON object a line: `type` is the table, `row` its columns, and `content` what the server stores encrypted. */
      content: string
      /** Value of `cursor` for the next page; null on the last page. */
      next_cursor: string | null
    }
  }

  /**
   * Export the secrets of a project under a passphrase.
   *
   * An extension of this server. Returns a page of the credentials of auth configs and of ACTIVE accounts, encrypted with a key that scrypt derives from the passphrase. `patchbay export --passphrase-file` calls it, and `patchbay import` reads the result. Managed credentials and the accounts that use them are left out. Each page is an entry of the audit log.
   *
   * Requires an API key of the organization without restrictions.
   *
   * The example needs a project.
   */
  "projects.exportSecrets": {
    request: {
      /** Id of the project, `proj_…`. */
      nano_id: string
      /** Passphrase that decrypts the page. It is not stored. */
      passphrase: string
      /** `next_cursor` of the previous page. Omit it for the first page. */
      cursor?: string | null
    }
    response: {
      envelope: PassphraseEnvelope
      /** Number of objects on this page. */
      count: number
      /** Value of `cursor` for the next page; null on the last page. */
      next_cursor: string | null
    }
  }

  /**
   * List the projects of the organization, newest first.
   *
   * Returns a page of the projects of the organization, newest first.
   *
   * Requires an API key of the organization with the permission `projects: read`.
   */
  "projects.list": {
    request: {
      /** Largest number of items on a page. Default 20; values above 1000 count as 1000. */
      limit?: number
      /** `next_cursor` of the previous page. Omit it for the first page. */
      cursor?: string
    }
    response: {
      /** Projects of this page. */
      data: Project[]
      /** Value of `cursor` for the next page; null on the last page. */
      next_cursor: string | null
      /** Number of pages at this `limit`. */
      total_pages: number
      /** Number of this page, from 1. */
      current_page: number
      /** Number of items on all pages. */
      total_items: number
    }
  }

  /**
   * Read a project with its keys.
   *
   * Returns one project with its API keys.
   *
   * Requires an API key of the organization with the permission `projects: read`.
   *
   * The example needs a project.
   */
  "projects.read": {
    request: {
      /** Id of the project, `proj_…`. */
      nano_id: string
    }
    response: Project
  }

  /**
   * Read the progress of the deletion of a project.
   *
   * An extension of this server. Returns what the background job has removed since the project was deleted. When it is done, the entry `projects.erased` of the audit log has the same numbers. Revoked API keys, the name of the project and the audit log remain.
   *
   * Requires an API key of the organization with the permission `projects: read`.
   *
   * The example needs a deleted project.
   */
  "projects.readDeletion": {
    request: {
      /** Id of the project, `proj_…`. */
      nano_id: string
    }
    response: {
      /** Id of the deletion, `pdl_…`. */
      id: string
      /** Id of the project, `proj_…`. */
      project_id: string
      /** `pending` until nothing is left. */
      status: "pending" | "done"
      /** What was removed so far: `accounts`, `open_sessions`, `files`, and rows by table. */
      removed: Record<string, number>
      /** Error of the last attempt; null for none. */
      last_error: string | null
      /** When the project was deleted. */
      created_at: string
      /** When the erasure ended; null while it runs. */
      finished_at: string | null
    }
  }

  /**
   * Replace all API keys of a project.
   *
   * Creates a new API key and revokes every earlier key of the project at once. Store the key, because later responses mask it, except in v3.
   *
   * Requires an API key of the organization with the permission `api_keys: write`.
   *
   * The example needs a project.
   */
  "projects.regenerateApiKey": {
    request: {
      /** Id of the project, `proj_…`. */
      nano_id: string
    }
    response: {
      /** The new key. */
      api_key: {
        /** Id of the key. */
        id: string
        /** Name of the key. */
        name: string
        /** The key. Readable in the response that creates it, and in v3 in responses about the project; otherwise masked. */
        key: string
        /** When the key was created. */
        created_at: string
      }
      /** Summary of what changed. */
      message: string
    }
  }

  /**
   * Authorize a subscription to the realtime channel.
   *
   * Returns the `auth` value with which one connection subscribes to the channel of the project, within a minute. The channel sends each event of a trigger as `trigger_to_client`, in chunks if it is large. The subscription ends when the API key is revoked.
   *
   * Requires an API key with the permission `triggers: read`.
   *
   * The example needs a connection to the realtime channel.
   */
  "realtime.auth": {
    request: {
      /** Id of the connection, from `pusher:connection_established`. */
      socket_id: string
      /** Channel of the project: `private-{project_id}_triggers`. */
      channel_name: string
    }
    response: {
      /** Value for `auth` of the message `pusher:subscribe`. */
      auth: string
    }
  }

  /**
   * Read where the realtime channel is.
   *
   * Returns what a published client needs to connect to the realtime channel, which speaks the Pusher Channels protocol, version 7. The client connects with TLS only, so the public URL of the server must use https. Other Pusher clients connect to `/app/{pusher_key}` on the host of the server.
   *
   * Requires an API key with the permission `triggers: read`.
   *
   * The example needs a public URL with https.
   */
  "realtime.credentials": {
    request: Record<string, never>
    response: {
      /** Id of the project. The channel is `private-{project_id}_triggers`. */
      project_id: string
      /** Key of the application in the Pusher protocol. It is not secret. */
      pusher_key: string
      /** Value for the option `cluster` of Pusher clients. It contains the host of this server. */
      pusher_cluster: string
    }
  }

  /**
   * Delete a recipe.
   *
   * An extension of this server. Deletes a recipe with all versions and stopped runs.
   *
   * Requires an API key with the permission `sessions: write`.
   *
   * The example needs a recipe.
   */
  "recipes.delete": {
    request: {
      /** Id of the recipe, `rcp_…`. */
      recipe_id: string
    }
    response: {
      /** Always true: a failure returns an error envelope. */
      success: boolean
    }
  }

  /**
   * List recipes.
   *
   * An extension of this server. Returns the recipes of the project, newest change first. Agents save recipes in sessions; the meta tool GET_RECIPE returns the code of one.
   *
   * Requires an API key with the permission `sessions: read`.
   */
  "recipes.list": {
    request: {
      /** Largest number of items on a page. Default 20; values above 1000 count as 1000. */
      limit?: number
      /** `next_cursor` of the previous page. Omit it for the first page. */
      cursor?: string
      /** Only those of this user. */
      user_id?: string
    }
    response: {
      /** Items of this page. */
      items: StoredRecipe[]
      /** Value of `cursor` for the next page; null on the last page. */
      next_cursor: string | null
      /** Number of pages at this `limit`. */
      total_pages: number
      /** Number of this page, from 1. */
      current_page: number
      /** Number of items on all pages. */
      total_items: number
    }
  }

  /**
   * Read the project and key of this call.
   *
   * Returns the project, the organization and the key that the call is made with. It is useful to check an API key.
   *
   * Requires an API key without restrictions.
   */
  "session.info": {
    request: Record<string, never>
    response: {
      /** Project of the key. */
      project: {
        /** Numeric id of the project. */
        auto_id: number
        /** Id of the project, `proj_…`. */
        id: string
        /** Id of the organization, `org_…`. */
        org_id: string
        /** Name of the project. */
        name: string
        /** Generated e-mail address of the project. */
        email: string
        /** When the project was created. */
        created_at: string
        /** When the project was last changed. */
        updated_at: string
        /** When the project last subscribed to trigger messages; null for never. */
        last_subscribed_at: string | null
        /** URL of the oldest webhook subscription with trigger messages; null for none. */
        webhook_url: string | null
        /** URL of the oldest webhook subscription with other events; null for none. */
        event_webhook_url: string | null
        /** Secret of the subscription of `webhook_url`: in clear in v3, masked in v3.1; null for none. */
        webhook_secret: string | null
        /** Whether triggers run. */
        triggers_enabled: boolean
        /**
         * Deprecated: whether the webhook is of version V2 or later.
         * @deprecated
         */
        is_new_webhook: boolean
        /** Whether the project was deleted. */
        deleted: boolean
        /** Payload version of that subscription; V2 for none. */
        webhook_version: string
        /** Id of the project, `proj_…`. */
        nano_id: string
        /** Organization of the project. */
        org: {
          /** Id of the organization, `org_…`. */
          id: string
          /** Name of the organization. */
          name: string
          /** Plan of the organization. */
          plan: string
        }
      }
      /** Key that the call was made with. */
      api_key: {
        /** Numeric id of the key. */
        auto_id: number
        /** Id of the key. */
        id: string
        /** Name of the key. */
        name: string
        /** Id of the project, `proj_…`. */
        project_id: string
        /** Id of the creator. */
        org_member_id: string
        /** When the key was created. */
        created_at: string
        /** When the key was last changed. */
        updated_at: string
        /** Always null: deleted keys cannot be used. */
        deleted_at: string | null
        /** The key, masked to its last four characters. */
        key: string
        /** Always false. */
        deleted: boolean
      }
      /** Creator of the key. */
      org_member: {
        /** Id of the creator. */
        id: string
        /** E-mail address of the creator. */
        email: string
        /** Name of the creator. */
        name: string
        /** Role of the creator. */
        role: string
      }
    }
  }

  /**
   * Save a session configuration.
   *
   * Saves the tool filters of sessions under a name. Sessions open with it through `experimental.session_config_id`.
   *
   * Requires an API key with the permission `sessions: write`.
   */
  "sessionConfigs.create": {
    request: {
      /** Name, unique in the project. At most 128 characters. */
      name: string
      /** Description. At most 1024 characters. */
      description?: string
      /** Tools that sessions see, in the form of `POST /tool_router/session`. */
      config: {
        /** Toolkits of the session: either `enable` or `disable`. Default: all toolkits. */
        toolkits?: {
          /** Only these toolkits. */
          enable?: string[]
          /** All toolkits except these. */
          disable?: string[]
        }
        /** Tools by toolkit slug: one of `enable`, `disable` and `tags`. */
        tools?: Record<string, {
          /** Only these tools. */
          enable?: string[]
          /** All tools except these. */
          disable?: string[]
          /** Tags of the tools: a list of enabled tags, or an object with lists. A tool needs one of the enabled tags and none of the disabled ones. */
          tags?: ("readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint" | "createHint" | "updateHint")[] | {
            /** Enabled tags: a tool needs one of them. */
            enable?: ("readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint" | "createHint" | "updateHint")[]
            /** Disabled tags: a tool must have none of them. */
            disable?: ("readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint" | "createHint" | "updateHint")[]
            /** The same as `enable`. */
            enabled?: ("readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint" | "createHint" | "updateHint")[]
            /** The same as `disable`. */
            disabled?: ("readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint" | "createHint" | "updateHint")[]
            /** Calls of tools with one of these tags need an approval. */
            require_approval?: ("readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint" | "createHint" | "updateHint")[]
          }
        }> | null
        /** Tags of the tools in all toolkits: a list of enabled tags, or an object. */
        tags?: ("readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint" | "createHint" | "updateHint")[] | {
          /** Enabled tags: a tool needs one of them. */
          enable?: ("readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint" | "createHint" | "updateHint")[]
          /** Disabled tags: a tool must have none of them. */
          disable?: ("readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint" | "createHint" | "updateHint")[]
          /** The same as `enable`. */
          enabled?: ("readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint" | "createHint" | "updateHint")[]
          /** The same as `disable`. */
          disabled?: ("readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint" | "createHint" | "updateHint")[]
          /** Calls of tools with one of these tags need an approval. */
          require_approval?: ("readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint" | "createHint" | "updateHint")[]
        } | null
      }
    }
    response: SavedSessionConfig
  }

  /**
   * List saved session configurations, newest first.
   *
   * Returns a page of the saved session configurations, newest first.
   *
   * Requires an API key with the permission `sessions: read`.
   */
  "sessionConfigs.list": {
    request: {
      /** Largest number of items on a page. Default 20; values above 1000 count as 1000. */
      limit?: number
      /** `next_cursor` of the previous page. Omit it for the first page. */
      cursor?: string
      /** Part of the name or the description. */
      search?: string
      /** List archived configurations instead. Default false. */
      archived?: boolean
    }
    response: {
      /** Items of this page. */
      items: SavedSessionConfig[]
      /** Value of `cursor` for the next page; null on the last page. */
      next_cursor: string | null
      /** Number of pages at this `limit`. */
      total_pages: number
      /** Number of this page, from 1. */
      current_page: number
      /** Number of items on all pages. */
      total_items: number
    }
  }

  /**
   * Read a saved session configuration.
   *
   * Returns one saved session configuration.
   *
   * Requires an API key with the permission `sessions: read`.
   *
   * The example needs a saved configuration.
   */
  "sessionConfigs.read": {
    request: {
      /** Id of the saved configuration, `sc_…`. */
      config_id: string
    }
    response: SavedSessionConfig
  }

  /**
   * Change or archive a saved session configuration.
   *
   * Changes the name, the description or the filters of a saved session configuration, or archives it. Sessions that are open keep the filters that they were opened with.
   *
   * Requires an API key with the permission `sessions: write`.
   *
   * The example needs a saved configuration.
   */
  "sessionConfigs.update": {
    request: {
      /** Id of the saved configuration, `sc_…`. */
      config_id: string
      /** Name, unique in the project. At most 128 characters. */
      name?: string
      /** Description. At most 1024 characters. */
      description?: string
      /** Tools that sessions see. The whole object is replaced. */
      config?: {
        /** Toolkits of the session: either `enable` or `disable`. Default: all toolkits. */
        toolkits?: {
          /** Only these toolkits. */
          enable?: string[]
          /** All toolkits except these. */
          disable?: string[]
        }
        /** Tools by toolkit slug: one of `enable`, `disable` and `tags`. */
        tools?: Record<string, {
          /** Only these tools. */
          enable?: string[]
          /** All tools except these. */
          disable?: string[]
          /** Tags of the tools: a list of enabled tags, or an object with lists. A tool needs one of the enabled tags and none of the disabled ones. */
          tags?: ("readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint" | "createHint" | "updateHint")[] | {
            /** Enabled tags: a tool needs one of them. */
            enable?: ("readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint" | "createHint" | "updateHint")[]
            /** Disabled tags: a tool must have none of them. */
            disable?: ("readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint" | "createHint" | "updateHint")[]
            /** The same as `enable`. */
            enabled?: ("readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint" | "createHint" | "updateHint")[]
            /** The same as `disable`. */
            disabled?: ("readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint" | "createHint" | "updateHint")[]
            /** Calls of tools with one of these tags need an approval. */
            require_approval?: ("readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint" | "createHint" | "updateHint")[]
          }
        }> | null
        /** Tags of the tools in all toolkits: a list of enabled tags, or an object. */
        tags?: ("readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint" | "createHint" | "updateHint")[] | {
          /** Enabled tags: a tool needs one of them. */
          enable?: ("readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint" | "createHint" | "updateHint")[]
          /** Disabled tags: a tool must have none of them. */
          disable?: ("readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint" | "createHint" | "updateHint")[]
          /** The same as `enable`. */
          enabled?: ("readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint" | "createHint" | "updateHint")[]
          /** The same as `disable`. */
          disabled?: ("readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint" | "createHint" | "updateHint")[]
          /** Calls of tools with one of these tags need an approval. */
          require_approval?: ("readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint" | "createHint" | "updateHint")[]
        } | null
      }
      /** Archive or restore the configuration. Open sessions stay as they are. */
      archived?: boolean
    }
    response: SavedSessionConfig
  }

  /**
   * Record that a session has read untrusted content.
   *
   * Records content that reached the agent without a tool call, such as the mail of an event that starts it. Recording the same source again changes nothing. A source cannot be removed: use a new session.
   *
   * Requires an API key with the permission `sessions: write`.
   *
   * The example needs a session.
   */
  "sessions.addUntrustedSource": {
    request: {
      /** Id of the session, `trs_…`. */
      session_id: string
      /** Kind of the content: `mail`, `chat`, `web`, `issues` (also tickets and code), `files`, `social`, `calendar`, `forms`, `stored` for notes and recipes of earlier sessions, `records` for all other applications. */
      category: "mail" | "chat" | "web" | "issues" | "files" | "social" | "calendar" | "forms" | "records" | "stored"
      /** Where the content came from. The person who decides on a call sees it. */
      note?: string
    }
    response: {
      /** Sources, in the order in which the session read them. At most 100. */
      items: UntrustedSource[]
    }
  }

  /**
   * Attach to a session.
   *
   * Returns a session together with tools that run in the process of the caller. Call it when another process continues the session; these tools are not stored.
   *
   * Requires an API key with the permission `sessions: write`.
   *
   * The example needs a session.
   */
  "sessions.attach": {
    request: {
      /** Id of the session, `trs_…`. */
      session_id: string
      /** Tools that run in the process of the caller. */
      experimental?: {
        /** Tools that run in the process of the caller. They are not stored. At most 100. */
        custom_tools?: {
          /** Slug, at most 60 characters. */
          slug: string
          /** Display name. */
          name: string
          /** Description for the language model. */
          description: string
          /** JSON Schema of the arguments. */
          input_schema: Record<string, unknown>
          /** JSON Schema of the result. */
          output_schema?: Record<string, unknown>
          /** Whether the tool is listed from the start, not only found by search. Default false. */
          preload?: boolean
          /** Slug of a toolkit that the tool is added to. */
          extends_toolkit?: string
        }[] | null
        /** Groups of tools that run in the process of the caller. They are not stored. At most 50. */
        custom_toolkits?: {
          /** Slug, at most 60 characters. */
          slug: string
          /** Display name. */
          name: string
          /** Description for the language model. */
          description: string
          /** Whether the tools are listed from the start, not only found by search. Default false. */
          preload?: boolean
          /** Tools of the group. At most 100. */
          tools: {
            /** Slug, at most 60 characters. */
            slug: string
            /** Display name. */
            name: string
            /** Description for the language model. */
            description: string
            /** JSON Schema of the arguments. */
            input_schema: Record<string, unknown>
            /** JSON Schema of the result. */
            output_schema?: Record<string, unknown>
            /** Whether the tool is listed from the start, not only found by search. Default false. */
            preload?: boolean
          }[]
        }[] | null
      }
    }
    response: Session
  }

  /**
   * Read client configurations of a session.
   *
   * An extension of this server. Returns what each MCP client needs: a command, a configuration file or a program, ready to copy. Programs always use a key; for the others `auth` decides.
   *
   * Requires an API key with the permission `sessions: read`.
   *
   * The example needs a session.
   */
  "sessions.clientConfigs": {
    request: {
      /** Id of the session, `trs_…`. */
      session_id: string
      /** `sign_in`: the client signs its user in with OAuth. `key`: the client sends a project key in `x-api-key`; the response has a placeholder for it. Default `sign_in`. */
      auth?: "sign_in" | "key"
    }
    response: McpClientConfigs
  }

  /**
   * List the configuration versions of a session.
   *
   * Returns a page of the versions of the configuration of a session, newest first.
   *
   * Requires an API key with the permission `sessions: read`.
   *
   * The example needs a session.
   */
  "sessions.configHistory": {
    request: {
      /** Id of the session, `trs_…`. */
      session_id: string
      /** Largest number of items on a page. Default 20; values above 1000 count as 1000. */
      limit?: number
      /** `next_cursor` of the previous page. Omit it for the first page. */
      cursor?: string
    }
    response: {
      /** Items of this page. */
      items: {
        /** Version of the configuration, from 1. */
        version: number
        /** Whether this is the current version. */
        is_current: boolean
        /** When the version was created; for former versions, when it was replaced. */
        created_at: string
        /** Configuration in this version. */
        config: SessionConfig
      }[]
      /** Value of `cursor` for the next page; null on the last page. */
      next_cursor: string | null
      /** Number of pages at this `limit`. */
      total_pages: number
      /** Number of this page, from 1. */
      current_page: number
      /** Number of items on all pages. */
      total_items: number
    }
  }

  /**
   * Create a session.
   *
   * Opens a session in which an agent searches and executes tools for one user. Returns the URL of its MCP server and a system prompt. Without further settings the session sees every toolkit.
   *
   * Requires an API key with the permission `sessions: write`.
   */
  "sessions.create": {
    request: {
      /** Id of the user that the session acts for. */
      user_id: string
      /** Toolkits of the session: either `enable` or `disable`. Default: all toolkits. */
      toolkits?: {
        /** Only these toolkits. */
        enable?: string[]
        /** All toolkits except these. */
        disable?: string[]
      }
      /** Auth configs by toolkit slug, in place of the ones that would be selected. */
      auth_configs?: Record<string, string> | null
      /** Connected accounts by toolkit slug. Several accounts need `multi_account`. */
      connected_accounts?: Record<string, string | string[]> | null
      /** Whether and how users connect accounts in the session. */
      manage_connections?: {
        /** Whether the session has a tool with which users connect accounts. Default true. */
        enable?: boolean | null
        /** URL to which the browser returns after connecting. */
        callback_url?: string | null
        /** Whether the session has a tool that waits until users have connected. Default false. */
        enable_wait_for_connections?: boolean | null
        /** Whether users can delete connections with the tool. Default true. */
        enable_connection_removal?: boolean | null
      }
      /** Tools by toolkit slug: one of `enable`, `disable` and `tags`. */
      tools?: Record<string, {
        /** Only these tools. */
        enable?: string[]
        /** All tools except these. */
        disable?: string[]
        /** Tags of the tools: a list of enabled tags, or an object with lists. A tool needs one of the enabled tags and none of the disabled ones. */
        tags?: ("readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint" | "createHint" | "updateHint")[] | {
          /** Enabled tags: a tool needs one of them. */
          enable?: ("readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint" | "createHint" | "updateHint")[]
          /** Disabled tags: a tool must have none of them. */
          disable?: ("readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint" | "createHint" | "updateHint")[]
          /** The same as `enable`. */
          enabled?: ("readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint" | "createHint" | "updateHint")[]
          /** The same as `disable`. */
          disabled?: ("readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint" | "createHint" | "updateHint")[]
          /** Calls of tools with one of these tags need an approval. */
          require_approval?: ("readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint" | "createHint" | "updateHint")[]
        }
      }> | null
      /** Tags of the tools in all toolkits: a list of enabled tags, or an object. */
      tags?: ("readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint" | "createHint" | "updateHint")[] | {
        /** Enabled tags: a tool needs one of them. */
        enable?: ("readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint" | "createHint" | "updateHint")[]
        /** Disabled tags: a tool must have none of them. */
        disable?: ("readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint" | "createHint" | "updateHint")[]
        /** The same as `enable`. */
        enabled?: ("readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint" | "createHint" | "updateHint")[]
        /** The same as `disable`. */
        disabled?: ("readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint" | "createHint" | "updateHint")[]
        /** Calls of tools with one of these tags need an approval. */
        require_approval?: ("readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint" | "createHint" | "updateHint")[]
      } | null
      /** The sandbox in which the session runs code, and the treatment of large results. */
      workbench?: {
        /** Whether the session runs code (Python and bash), and moves large results to its files. Default true. */
        enable?: boolean | null
        /** Whether code in the sandbox may send requests with `proxy_execute`. Default true. */
        enable_proxy_execution?: boolean | null
        /** Size in characters above which results are stored in the mount of the session. Default 20,000. */
        auto_offload_threshold?: number | null
        /** Memory of the sandbox: 1, 2, 4 or 8 GB. A change replaces the sandbox. Default `standard`. */
        sandbox_size?: "standard" | "medium" | "large" | "xlarge" | null
      }
      /** Use of several accounts of one toolkit. */
      multi_account?: {
        /** Whether a user may use several accounts of one toolkit. Default false. */
        enable?: boolean | null
        /** Largest number of accounts for each toolkit. Default 5. */
        max_accounts_per_toolkit?: number | null
        /** Whether calls have to send `account` when there are several. Default false. */
        require_explicit_selection?: boolean | null
      }
      /** Tools that are listed next to the meta tools. `all` lists every tool that the filters select. */
      preload?: {
        /** Slugs of tools, or `all`. */
        tools: string[] | "all"
      }
      /** Search for tools. */
      search?: {
        /** Whether the session has the tools that search. Default true. */
        enable?: boolean | null
      }
      /** Execution by meta tools. */
      execute?: {
        /** Whether the session has the tool that executes several tools. Default true. */
        enable_multi_execute?: boolean | null
      }
      /** HTTP endpoints that are called before or after tools. At most 20. */
      hooks?: ({
        /** Id of the hook. Default: generated. */
        id?: string
        /** Display name of the hook. */
        name?: string
        /** When the hook is called: before or after a tool is executed. */
        type: "before_execute" | "after_execute"
        /** Calls for which the hook is called. Default: all. */
        applies_to?: {
          /** Slugs of toolkits. */
          toolkits?: string[]
        } & Record<string, unknown>
        /** What is called. */
        handler: {
          /** Kind of the handler. */
          type: string
        } & Record<string, unknown>
      } & Record<string, unknown>)[] | null
      /** Experimental settings. */
      experimental?: {
        /** Settings of the generated system prompt. */
        assistive_prompt_config?: {
          /** Time zone of the user, as an IANA name. */
          user_timezone?: string
        }
        /** Calls that a person has to approve before they run. */
        permissions?: {
          /** Default for all tools. Default `allow_all`. */
          default?: "allow_all" | "ask_every_call" | "ask_once_per_session"
          /** Exceptions. A key is a tool, a colon, and an account id or `__none__`; `*` means every tool. */
          overrides?: Record<string, "always_allow" | "always_deny" | "ask_once" | "ask_always">
        }
        /** URL of your application that replaces the hosted page in links. */
        link_url_overwrite?: string | null
        /** Tools that run in the process of the caller. They are not stored. At most 100. */
        custom_tools?: {
          /** Slug, at most 60 characters. */
          slug: string
          /** Display name. */
          name: string
          /** Description for the language model. */
          description: string
          /** JSON Schema of the arguments. */
          input_schema: Record<string, unknown>
          /** JSON Schema of the result. */
          output_schema?: Record<string, unknown>
          /** Whether the tool is listed from the start, not only found by search. Default false. */
          preload?: boolean
          /** Slug of a toolkit that the tool is added to. */
          extends_toolkit?: string
        }[] | null
        /** Groups of tools that run in the process of the caller. They are not stored. At most 50. */
        custom_toolkits?: {
          /** Slug, at most 60 characters. */
          slug: string
          /** Display name. */
          name: string
          /** Description for the language model. */
          description: string
          /** Whether the tools are listed from the start, not only found by search. Default false. */
          preload?: boolean
          /** Tools of the group. At most 100. */
          tools: {
            /** Slug, at most 60 characters. */
            slug: string
            /** Display name. */
            name: string
            /** Description for the language model. */
            description: string
            /** JSON Schema of the arguments. */
            input_schema: Record<string, unknown>
            /** JSON Schema of the result. */
            output_schema?: Record<string, unknown>
            /** Whether the tool is listed from the start, not only found by search. Default false. */
            preload?: boolean
          }[]
        }[] | null
        /** Id of a saved configuration, `sc_…`, in place of `toolkits`, `tools` and `tags`; null for none. */
        session_config_id?: string | null
      }
      /** Accepted for compatibility; it has no effect. */
      premium_usage?: boolean
    }
    response: Session
  }

  /**
   * Create a session (earlier URL).
   *
   * Opens a session in the format of earlier versions. A user has one session for each configuration; a second call returns `ToolRouterV2_SessionExists`. Use `POST /tool_router/session` in new clients.
   *
   * Requires an API key with the permission `sessions: write`.
   */
  "sessions.createLabs": {
    request: {
      /** Id of the user that the session acts for. */
      user_id: string
      /** Configuration of the session. */
      config?: {
        /** Whether the session has no tool with which users connect accounts. Default false. */
        manually_manage_connections?: boolean | null
        /** Toolkits of the session. Default: all. */
        toolkits?: {
          /** Slug of the toolkit. */
          toolkit: string
          /** Id of the auth config to use, `ac_…`. */
          auth_config_id?: string
        }[] | null
      }
    }
    response: {
      /** Id of the session, `trs_…`. */
      session_id: string
      /** URL of the MCP server of the session. */
      chat_session_mcp_url: string
      /** The same as `chat_session_mcp_url`. */
      tool_router_instance_mcp_url: string
    }
  }

  /**
   * Decide on a pending call of a session.
   *
   * Decides on a call that waits in a session. After an approval the call runs at once, and the response holds its result. Clients must not repeat this request automatically.
   *
   * Requires an API key without restrictions.
   *
   * The example needs a pending approval in a session.
   */
  "sessions.decide": {
    request: {
      /** Id of the session, `trs_…`. */
      session_id: string
      /** Id of the approval, `apr_…`. */
      approval_id: string
      /** The decision. `allow_session` also allows later calls of this tool in the session. */
      decision: "allow_once" | "allow_session" | "deny"
    }
    response: {
      /** Result of the tool; empty after a denial. */
      data: Record<string, unknown>
      /** Reason why the tool failed or did not run; null on success. */
      error: string | null
      /** Id of the log of the call, `log_…`. */
      log_id: string
    }
  }

  /**
   * Delete a session.
   *
   * Deletes a session. Its MCP URL stops working at once; connected accounts stay.
   *
   * Requires an API key with the permission `sessions: write`.
   *
   * The example needs a session.
   */
  "sessions.delete": {
    request: {
      /** Id of the session, `trs_…`. */
      session_id: string
    }
    response: {
      /** Id of the session, `trs_…`. */
      session_id: string
      /** Always true. */
      deleted: true
    }
  }

  /**
   * Execute a tool in a session.
   *
   * Executes a tool or meta tool in a session, with the account of its user. A failure of the tool returns 200 with `error`. Clients must not repeat this request automatically.
   *
   * Requires an API key with the permission `tool_execution: write`.
   *
   * The example needs a session.
   */
  "sessions.execute": {
    request: {
      /** Id of the session, `trs_…`. */
      session_id: string
      /** Slug of the tool or meta tool. */
      tool_slug: string
      /** Arguments of the tool. */
      arguments?: Record<string, unknown>
      /** Id, word id or alias of a connected account. Needed when the user has several accounts of the toolkit. */
      account?: string
      /** Store a large result in the mount of the session and return its beginning. Default: as the session is configured. */
      enable_auto_workbench_offload?: boolean
      /** Tools that run in the process of the caller. */
      experimental?: {
        /** Tools that run in the process of the caller. They are not stored. At most 100. */
        custom_tools?: {
          /** Slug, at most 60 characters. */
          slug: string
          /** Display name. */
          name: string
          /** Description for the language model. */
          description: string
          /** JSON Schema of the arguments. */
          input_schema: Record<string, unknown>
          /** JSON Schema of the result. */
          output_schema?: Record<string, unknown>
          /** Whether the tool is listed from the start, not only found by search. Default false. */
          preload?: boolean
          /** Slug of a toolkit that the tool is added to. */
          extends_toolkit?: string
        }[] | null
        /** Groups of tools that run in the process of the caller. They are not stored. At most 50. */
        custom_toolkits?: {
          /** Slug, at most 60 characters. */
          slug: string
          /** Display name. */
          name: string
          /** Description for the language model. */
          description: string
          /** Whether the tools are listed from the start, not only found by search. Default false. */
          preload?: boolean
          /** Tools of the group. At most 100. */
          tools: {
            /** Slug, at most 60 characters. */
            slug: string
            /** Display name. */
            name: string
            /** Description for the language model. */
            description: string
            /** JSON Schema of the arguments. */
            input_schema: Record<string, unknown>
            /** JSON Schema of the result. */
            output_schema?: Record<string, unknown>
            /** Whether the tool is listed from the start, not only found by search. Default false. */
            preload?: boolean
          }[]
        }[] | null
      }
    }
    response: {
      /** Result of the tool. */
      data: Record<string, unknown>
      /** Reason why the tool failed; null on success. */
      error: string | null
      /** Id of the log of the call, `log_…`. */
      log_id: string
      /** `blocked`: a hook of the session prevented the call or withheld its result. */
      result_type?: "blocked"
      /** Reason that the hook gave. */
      block_reason?: string
      /** Decisions of the hooks, in order. */
      hook_results?: ({
        /** Id of the hook. */
        hook_id: string
        /** When the hook was called. */
        type: string
        /** Decision of the hook. */
        action: string
        /** Message of the hook; null for none. */
        message: string | null
      })[]
    }
  }

  /**
   * Run a meta tool.
   *
   * Runs a meta tool of a session, such as the search for tools or the management of connections. A failure of the meta tool returns 200 with `error`. Clients must not repeat this request automatically.
   *
   * Requires an API key with the permission `tool_execution: write`.
   *
   * The example needs a session.
   */
  "sessions.executeMeta": {
    request: {
      /** Id of the session, `trs_…`. */
      session_id: string
      /** Slug of the meta tool. `SERVICE_REMOTE_WORKBENCH` runs Python and `SERVICE_REMOTE_BASH_TOOL` runs bash, in the sandbox of the session. A server can disable both. */
      slug: "SERVICE_SEARCH_TOOLS" | "SERVICE_MULTI_EXECUTE_TOOL" | "SERVICE_MANAGE_CONNECTIONS" | "SERVICE_WAIT_FOR_CONNECTIONS" | "SERVICE_REMOTE_WORKBENCH" | "SERVICE_REMOTE_BASH_TOOL" | "SERVICE_GET_TOOL_SCHEMAS" | "SERVICE_UPSERT_RECIPE" | "SERVICE_GET_RECIPE"
      /** Arguments of the meta tool. */
      arguments?: Record<string, unknown>
      /** Tools that run in the process of the caller. */
      experimental?: {
        /** Tools that run in the process of the caller. They are not stored. At most 100. */
        custom_tools?: {
          /** Slug, at most 60 characters. */
          slug: string
          /** Display name. */
          name: string
          /** Description for the language model. */
          description: string
          /** JSON Schema of the arguments. */
          input_schema: Record<string, unknown>
          /** JSON Schema of the result. */
          output_schema?: Record<string, unknown>
          /** Whether the tool is listed from the start, not only found by search. Default false. */
          preload?: boolean
          /** Slug of a toolkit that the tool is added to. */
          extends_toolkit?: string
        }[] | null
        /** Groups of tools that run in the process of the caller. They are not stored. At most 50. */
        custom_toolkits?: {
          /** Slug, at most 60 characters. */
          slug: string
          /** Display name. */
          name: string
          /** Description for the language model. */
          description: string
          /** Whether the tools are listed from the start, not only found by search. Default false. */
          preload?: boolean
          /** Tools of the group. At most 100. */
          tools: {
            /** Slug, at most 60 characters. */
            slug: string
            /** Display name. */
            name: string
            /** Description for the language model. */
            description: string
            /** JSON Schema of the arguments. */
            input_schema: Record<string, unknown>
            /** JSON Schema of the result. */
            output_schema?: Record<string, unknown>
            /** Whether the tool is listed from the start, not only found by search. Default false. */
            preload?: boolean
          }[]
        }[] | null
      }
    }
    response: {
      /** Result of the tool. */
      data: Record<string, unknown>
      /** Reason why the tool failed; null on success. */
      error: string | null
      /** Id of the log of the call, `log_…`. */
      log_id: string
      /** `blocked`: a hook of the session prevented the call or withheld its result. */
      result_type?: "blocked"
      /** Reason that the hook gave. */
      block_reason?: string
      /** Decisions of the hooks, in order. */
      hook_results?: ({
        /** Id of the hook. */
        hook_id: string
        /** When the hook was called. */
        type: string
        /** Decision of the hook. */
        action: string
        /** Message of the hook; null for none. */
        message: string | null
      })[]
    }
  }

  /**
   * Create a connect link in a session.
   *
   * Creates a link to a hosted page on which the user of the session connects an account of a toolkit. The auth config is the one of the session, else the newest of the toolkit, else the managed one. The link is valid for ten minutes.
   *
   * Requires an API key with the permission `sessions: write`.
   *
   * The example needs a session and an auth config of the toolkit.
   */
  "sessions.link": {
    request: {
      /** Id of the session, `trs_…`. */
      session_id: string
      /** Slug of the toolkit. */
      toolkit: string
      /** URL to which the browser returns after connecting. */
      callback_url?: string
      /** Name for the account, unique for the user and toolkit. At most 128 characters. */
      alias?: string
      /** Sharing of the account. Experimental. */
      experimental?: {
        /** `PRIVATE` (default): only the user of the account may use it. `SHARED`: the access list decides. */
        account_type?: "PRIVATE" | "SHARED"
        /** Access list. It is only valid for SHARED accounts. */
        acl_config_for_shared?: {
          /** Whether every user of the project may use the account. Default false. */
          allow_all_users?: boolean
          /** Users who may use the account. At most 1000. */
          allowed_user_ids?: string[]
          /** Users who may not use the account; this list is checked first. At most 1000. */
          not_allowed_user_ids?: string[]
        }
      }
    }
    response: {
      /** Secret of the link, part of `redirect_url`. */
      link_token: string
      /** URL of the hosted page. Open it in the browser of the user. */
      redirect_url: string
      /** Id of the new account, `ca_…`. */
      connected_account_id: string
      /** Sharing of the account, as it was requested. */
      experimental?: Record<string, unknown>
    }
  }

  /**
   * List sessions.
   *
   * Returns a page of the sessions of the project, newest first, without their configurations.
   *
   * Requires an API key with the permission `sessions: read`.
   */
  "sessions.list": {
    request: {
      /** Only sessions of this user. */
      user_id?: string
      /** Largest number of items on a page. Default 20; values above 1000 count as 1000. */
      limit?: number
      /** `next_cursor` of the previous page. Omit it for the first page. */
      cursor?: string
    }
    response: {
      /** Items of this page. */
      items: SessionSummary[]
      /** Value of `cursor` for the next page; null on the last page. */
      next_cursor: string | null
      /** Number of pages at this `limit`. */
      total_pages: number
      /** Number of this page, from 1. */
      current_page: number
      /** Number of items on all pages. */
      total_items: number
    }
  }

  /**
   * Delete a file of a session mount.
   *
   * Deletes a file of a session mount. A path without a file succeeds too.
   *
   * Requires an API key with the permission `sessions: write`.
   *
   * The example needs a session.
   */
  "sessions.mountDelete": {
    request: {
      /** Id of the session, `trs_…`. */
      session_id: string
      /** Name of the mount. Sessions have one: `files`. */
      mount: string
      /** Path below the mount, without a leading slash. */
      mount_relative_path: string
    }
    response: {
      /** Path below the mount. */
      mount_relative_path: string
      /** Directory of the mount in a sandbox. */
      sandbox_mount_prefix: string
    }
  }

  /**
   * Create a download URL in a session mount.
   *
   * Returns a URL for the download of a file of a session mount.
   *
   * Requires an API key with the permission `sessions: write`.
   *
   * The example needs a session with this file.
   */
  "sessions.mountDownload": {
    request: {
      /** Id of the session, `trs_…`. */
      session_id: string
      /** Name of the mount. Sessions have one: `files`. */
      mount: string
      /** Path below the mount, without a leading slash. */
      mount_relative_path: string
    }
    response: {
      /** URL for the download: GET it without an API key. */
      download_url: string
      /** When the URL expires. */
      expires_at: string
      /** Path below the mount. */
      mount_relative_path: string
      /** Directory of the mount in a sandbox. */
      sandbox_mount_prefix: string
    }
  }

  /**
   * List the files of a session mount.
   *
   * Returns a page of the files of a session mount, sorted by path.
   *
   * Requires an API key with the permission `sessions: read`.
   *
   * The example needs a session.
   */
  "sessions.mountItems": {
    request: {
      /** Id of the session, `trs_…`. */
      session_id: string
      /** Name of the mount. Sessions have one: `files`. */
      mount: string
      /** Only paths that begin with this text. */
      mount_relative_prefix?: string
      /** `next_cursor` of the previous page. Omit it for the first page. */
      cursor?: string
      /** Largest number of files on a page. Default 100; values above 500 count as 500. */
      limit?: number
    }
    response: {
      /** Files of this page, sorted by path. */
      items: {
        /** Path below the mount. */
        mount_relative_path: string
        /** Directory of the mount in a sandbox. */
        sandbox_mount_prefix: string
        /** Size in bytes. */
        size: number
        /** When the file was last written. */
        last_modified: string
      }[]
      /** Value of `cursor` for the next page. Absent on the last page. */
      next_cursor?: string
    }
  }

  /**
   * Create an upload URL in a session mount.
   *
   * Returns a URL for the upload of a file to a session mount. An existing file at the path is replaced.
   *
   * Requires an API key with the permission `sessions: write`.
   *
   * The example needs a session.
   */
  "sessions.mountUpload": {
    request: {
      /** Id of the session, `trs_…`. */
      session_id: string
      /** Name of the mount. Sessions have one: `files`. */
      mount: string
      /** Path below the mount, without a leading slash. */
      mount_relative_path: string
      /** Media type of the file. */
      mimetype?: string
    }
    response: {
      /** URL for the upload: PUT the content without an API key. */
      upload_url: string
      /** When the URL expires. */
      expires_at: string
      /** Path below the mount. */
      mount_relative_path: string
      /** Directory of the mount in a sandbox. */
      sandbox_mount_prefix: string
    }
  }

  /**
   * Send a proxy request in a session.
   *
   * Sends an HTTP request to an application with the account of the user of a session. Returns 200 whenever the application responded; `status` is its status. Clients must not repeat this request automatically.
   *
   * Requires an API key with the permission `proxy_execute: write`.
   *
   * The example needs a session and a connected account.
   */
  "sessions.proxy": {
    request: {
      /** Id of the session, `trs_…`. */
      session_id: string
      /** Slug of the toolkit whose account is used. */
      toolkit_slug: string
      /** Path below the base URL of the account, or a URL of the same site. */
      endpoint: string
      /** HTTP method. */
      method: "GET" | "POST" | "PUT" | "DELETE" | "PATCH" | "HEAD"
      /** Body. Objects and lists are sent as JSON, or as a form if a content-type header says so; text is sent as it is. */
      body?: unknown
      /** Binary body: a URL that the server fetches without credentials, or base64. Not together with `body`. */
      binary_body?: {
        /** URL from which the server fetches the content, without credentials. */
        url?: string
        /** Content in base64. At most 4 MB before encoding. */
        base64?: string
        /** Media type of the content. */
        content_type?: string
      }
      /** Headers and query parameters to add. At most 100. */
      parameters?: ({
        /** Name of the header or query parameter. */
        name: string
        /** Where the parameter is sent. */
        type: "header" | "query"
        /** Value of the parameter. */
        value: string
      })[]
      /** Credentials to use in place of a connected account. */
      custom_connection_data?: {
        /** Authentication scheme, in any letter case. */
        authScheme: string
        /** Slug of the toolkit of the tool. */
        toolkitSlug: string
        /** Credentials by field name, such as `access_token`. */
        val: Record<string, unknown>
      }
      /** Id, word id or alias of a connected account. Needed when the user has several accounts of the toolkit. */
      account?: string
    }
    response: {
      /** HTTP status of the application. */
      status: number
      /** Body as JSON or text. */
      data?: unknown
      /** Stored body, in place of `data`, when it is not text or is larger than 10 MB. */
      binary_data?: {
        /** URL for the download. */
        url: string
        /** Media type. */
        content_type: string
        /** Size in bytes. */
        size: number
        /** When the URL expires. */
        expires_at: string
      }
      /** Headers of the application. */
      headers: Record<string, string>
    }
  }

  /**
   * Read a session.
   *
   * Returns a session with its current configuration.
   *
   * Requires an API key with the permission `sessions: read`.
   *
   * The example needs a session.
   */
  "sessions.read": {
    request: {
      /** Id of the session, `trs_…`. */
      session_id: string
    }
    response: Session
  }

  /**
   * Search tools in a session.
   *
   * Searches the tools of a session by tasks in natural language. Returns the best tools for each task with their schemas, and the status of the connections that they need.
   *
   * Requires an API key with the permission `tool_execution: write`.
   *
   * The example needs a session.
   */
  "sessions.search": {
    request: {
      /** Id of the session, `trs_…`. */
      session_id: string
      /** Tasks to find tools for. At most 10. */
      queries: {
        /** Task in natural language. */
        use_case: string
        /** Values that are known, such as `channel: #general`. */
        known_fields?: string
      }[]
      /** Search only these toolkits. */
      toolkits?: string[]
      /** Accepted for compatibility; it has no effect. */
      model?: string
      /** `tool_search` leaves plans out. Default `auto`. */
      search_strategy?: "auto" | "tool_search"
      /** Tools that run in the process of the caller. */
      experimental?: {
        /** Tools that run in the process of the caller. They are not stored. At most 100. */
        custom_tools?: {
          /** Slug, at most 60 characters. */
          slug: string
          /** Display name. */
          name: string
          /** Description for the language model. */
          description: string
          /** JSON Schema of the arguments. */
          input_schema: Record<string, unknown>
          /** JSON Schema of the result. */
          output_schema?: Record<string, unknown>
          /** Whether the tool is listed from the start, not only found by search. Default false. */
          preload?: boolean
          /** Slug of a toolkit that the tool is added to. */
          extends_toolkit?: string
        }[] | null
        /** Groups of tools that run in the process of the caller. They are not stored. At most 50. */
        custom_toolkits?: {
          /** Slug, at most 60 characters. */
          slug: string
          /** Display name. */
          name: string
          /** Description for the language model. */
          description: string
          /** Whether the tools are listed from the start, not only found by search. Default false. */
          preload?: boolean
          /** Tools of the group. At most 100. */
          tools: {
            /** Slug, at most 60 characters. */
            slug: string
            /** Display name. */
            name: string
            /** Description for the language model. */
            description: string
            /** JSON Schema of the arguments. */
            input_schema: Record<string, unknown>
            /** JSON Schema of the result. */
            output_schema?: Record<string, unknown>
            /** Whether the tool is listed from the start, not only found by search. Default false. */
            preload?: boolean
          }[]
        }[] | null
      }
    }
    response: Record<string, unknown>
  }

  /**
   * List the toolkits of a session.
   *
   * Returns a page of the toolkits of a session, with the account that the session uses for each.
   *
   * Requires an API key with the permission `sessions: read`.
   *
   * The example needs a session.
   */
  "sessions.toolkits": {
    request: {
      /** Id of the session, `trs_…`. */
      session_id: string
      /** Slugs of toolkits, in place of those of the session. */
      toolkits?: string[]
      /** Only toolkits with (true) or without (false) an ACTIVE account of the user. */
      is_connected?: boolean
      /** Part of the name, the slug or the description. */
      search?: string
      /** Largest number of items on a page. Default 20; values above 1000 count as 1000. */
      limit?: number
      /** `next_cursor` of the previous page. Omit it for the first page. */
      cursor?: string
    }
    response: {
      /** Items of this page. */
      items: {
        /** Slug of the toolkit. */
        slug: string
        /** Name of the toolkit. */
        name: string
        /** Whether the session may use the toolkit. */
        enabled: boolean
        /** Whether the toolkit needs no authentication. */
        is_no_auth: boolean
        /** Schemes for which the server has managed credentials. */
        service_managed_auth_schemes: string[]
        /** Logo and description. */
        meta: {
          /** URL of the logo. */
          logo: string
          /** Description of the toolkit. */
          description: string
        }
        /** Account that the session uses; null for none. */
        connected_account: {
          /** Id of the connected account, `ca_…`. */
          id: string
          /** Id of the user that the account belongs to. */
          user_id: string
          /** Status of the account. */
          status: string
          /** When the account was created. */
          created_at: string
          /** Auth config of the account. */
          auth_config: {
            /** Id of the auth config, `ac_…`. */
            id: string
            /** Authentication scheme, in upper case. */
            auth_scheme: string
            /** Whether the credentials are the managed ones of the server. */
            is_service_managed: boolean
          }
        }
      }[]
      /** Value of `cursor` for the next page; null on the last page. */
      next_cursor: string | null
      /** Number of pages at this `limit`. */
      total_pages: number
      /** Number of this page, from 1. */
      current_page: number
      /** Number of items on all pages. */
      total_items: number
    }
  }

  /**
   * List the tools of a session.
   *
   * Returns a page of the tools that the session lists: its meta tools and the preloaded tools.
   *
   * Requires an API key with the permission `sessions: read`.
   *
   * The example needs a session.
   */
  "sessions.tools": {
    request: {
      /** Id of the session, `trs_…`. */
      session_id: string
      /** Largest number of items on a page. Default 20; values above 1000 count as 1000. */
      limit?: number
      /** `next_cursor` of the previous page. Omit it for the first page. */
      cursor?: string
    }
    response: {
      /** Items of this page. */
      items: Tool[]
      /** Value of `cursor` for the next page; null on the last page. */
      next_cursor: string | null
      /** Number of pages at this `limit`. */
      total_pages: number
      /** Number of this page, from 1. */
      current_page: number
      /** Number of items on all pages. */
      total_items: number
    }
  }

  /**
   * List the untrusted content that a session has read.
   *
   * Returns where the session read content that other people wrote, such as mail, web pages and issues. Policies with `untrusted_content` apply to the calls of such a session.
   *
   * Requires an API key with the permission `sessions: read`.
   *
   * The example needs a session.
   */
  "sessions.untrustedSources": {
    request: {
      /** Id of the session, `trs_…`. */
      session_id: string
    }
    response: {
      /** Sources, in the order in which the session read them. At most 100. */
      items: UntrustedSource[]
    }
  }

  /**
   * Change a session.
   *
   * Changes the settings that the body contains; null resets one to its default. Each change creates a new version of the configuration. With `expected_config_version`, concurrent changes return 409.
   *
   * Requires an API key with the permission `sessions: write`.
   *
   * The example needs a session.
   */
  "sessions.update": {
    request: {
      /** Id of the session, `trs_…`. */
      session_id: string
      /** Toolkits of the session: either `enable` or `disable`. Default: all toolkits. */
      toolkits?: {
        /** Only these toolkits. */
        enable?: string[]
        /** All toolkits except these. */
        disable?: string[]
      }
      /** Auth configs by toolkit slug, in place of the ones that would be selected. */
      auth_configs?: Record<string, string> | null
      /** Connected accounts by toolkit slug. Several accounts need `multi_account`. */
      connected_accounts?: Record<string, string | string[]> | null
      /** Whether and how users connect accounts in the session. */
      manage_connections?: {
        /** Whether the session has a tool with which users connect accounts. Default true. */
        enable?: boolean | null
        /** URL to which the browser returns after connecting. */
        callback_url?: string | null
        /** Whether the session has a tool that waits until users have connected. Default false. */
        enable_wait_for_connections?: boolean | null
        /** Whether users can delete connections with the tool. Default true. */
        enable_connection_removal?: boolean | null
      }
      /** Tools by toolkit slug: one of `enable`, `disable` and `tags`. */
      tools?: Record<string, {
        /** Only these tools. */
        enable?: string[]
        /** All tools except these. */
        disable?: string[]
        /** Tags of the tools: a list of enabled tags, or an object with lists. A tool needs one of the enabled tags and none of the disabled ones. */
        tags?: ("readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint" | "createHint" | "updateHint")[] | {
          /** Enabled tags: a tool needs one of them. */
          enable?: ("readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint" | "createHint" | "updateHint")[]
          /** Disabled tags: a tool must have none of them. */
          disable?: ("readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint" | "createHint" | "updateHint")[]
          /** The same as `enable`. */
          enabled?: ("readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint" | "createHint" | "updateHint")[]
          /** The same as `disable`. */
          disabled?: ("readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint" | "createHint" | "updateHint")[]
          /** Calls of tools with one of these tags need an approval. */
          require_approval?: ("readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint" | "createHint" | "updateHint")[]
        }
      }> | null
      /** Tags of the tools in all toolkits: a list of enabled tags, or an object. */
      tags?: ("readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint" | "createHint" | "updateHint")[] | {
        /** Enabled tags: a tool needs one of them. */
        enable?: ("readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint" | "createHint" | "updateHint")[]
        /** Disabled tags: a tool must have none of them. */
        disable?: ("readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint" | "createHint" | "updateHint")[]
        /** The same as `enable`. */
        enabled?: ("readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint" | "createHint" | "updateHint")[]
        /** The same as `disable`. */
        disabled?: ("readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint" | "createHint" | "updateHint")[]
        /** Calls of tools with one of these tags need an approval. */
        require_approval?: ("readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint" | "createHint" | "updateHint")[]
      } | null
      /** The sandbox in which the session runs code, and the treatment of large results. */
      workbench?: {
        /** Whether the session runs code (Python and bash), and moves large results to its files. Default true. */
        enable?: boolean | null
        /** Whether code in the sandbox may send requests with `proxy_execute`. Default true. */
        enable_proxy_execution?: boolean | null
        /** Size in characters above which results are stored in the mount of the session. Default 20,000. */
        auto_offload_threshold?: number | null
        /** Memory of the sandbox: 1, 2, 4 or 8 GB. A change replaces the sandbox. Default `standard`. */
        sandbox_size?: "standard" | "medium" | "large" | "xlarge" | null
      }
      /** Use of several accounts of one toolkit. */
      multi_account?: {
        /** Whether a user may use several accounts of one toolkit. Default false. */
        enable?: boolean | null
        /** Largest number of accounts for each toolkit. Default 5. */
        max_accounts_per_toolkit?: number | null
        /** Whether calls have to send `account` when there are several. Default false. */
        require_explicit_selection?: boolean | null
      }
      /** Tools that are listed next to the meta tools. `all` lists every tool that the filters select. */
      preload?: {
        /** Slugs of tools, or `all`. */
        tools: string[] | "all"
      }
      /** Search for tools. */
      search?: {
        /** Whether the session has the tools that search. Default true. */
        enable?: boolean | null
      }
      /** Execution by meta tools. */
      execute?: {
        /** Whether the session has the tool that executes several tools. Default true. */
        enable_multi_execute?: boolean | null
      }
      /** HTTP endpoints that are called before or after tools. At most 20. */
      hooks?: ({
        /** Id of the hook. Default: generated. */
        id?: string
        /** Display name of the hook. */
        name?: string
        /** When the hook is called: before or after a tool is executed. */
        type: "before_execute" | "after_execute"
        /** Calls for which the hook is called. Default: all. */
        applies_to?: {
          /** Slugs of toolkits. */
          toolkits?: string[]
        } & Record<string, unknown>
        /** What is called. */
        handler: {
          /** Kind of the handler. */
          type: string
        } & Record<string, unknown>
      } & Record<string, unknown>)[] | null
      /** Experimental settings. */
      experimental?: {
        /** Settings of the generated system prompt. */
        assistive_prompt_config?: {
          /** Time zone of the user, as an IANA name. */
          user_timezone?: string
        }
        /** Calls that a person has to approve before they run. */
        permissions?: {
          /** Default for all tools. Default `allow_all`. */
          default?: "allow_all" | "ask_every_call" | "ask_once_per_session"
          /** Exceptions. A key is a tool, a colon, and an account id or `__none__`; `*` means every tool. */
          overrides?: Record<string, "always_allow" | "always_deny" | "ask_once" | "ask_always">
        }
        /** URL of your application that replaces the hosted page in links. */
        link_url_overwrite?: string | null
      }
      /** Change the session only if this is its current version; otherwise the call returns 409. */
      expected_config_version?: number | null
    }
    response: Session
  }

  /**
   * Remove the identity provider of members.
   *
   * An extension of this server. Removes the provider and its secret. Members stay, and sign in with a password or a passkey: create password links for those who have none. Only an owner may call it.
   *
   * Requires an API key of the organization without restrictions.
   */
  "sso.delete": {
    request: Record<string, never>
    response: {
      /** Always true. */
      success: boolean
    }
  }

  /**
   * Read the identity provider of members.
   *
   * An extension of this server. Returns the OpenID provider at which members sign in to the console, without its secret, and the redirect URI that the provider must allow.
   *
   * Requires an API key of the organization without restrictions.
   */
  "sso.read": {
    request: Record<string, never>
    response: Sso
  }

  /**
   * Set the identity provider of members.
   *
   * An extension of this server. Members sign in to the console at this OpenID provider (authorization code, PKCE, nonce). Fields that are left out have their defaults. The provider is tested before anything is stored. Without `client_secret` the stored secret stays, unless the issuer or the client id changes. While the provider is the only way to sign in, only its name can be changed. Only an owner may call it.
   *
   * Requires an API key of the organization without restrictions.
   *
   * The example needs a provider.
   */
  "sso.set": {
    request: {
      /** Issuer, as the provider writes it, without `/.well-known/openid-configuration`. It must use https; http is for localhost only. */
      issuer: string
      /** Client id of this server at the provider. */
      client_id: string
      /** Client secret; null for a public client. */
      client_secret?: string | null
      /** Name on the button. Default: the host of the issuer. */
      name?: string
      /** Scopes, with `openid`. Default: `openid email profile`. */
      scopes?: string
      /** Domains of verified e-mail addresses that may sign in; empty for all. */
      allowed_domains?: string[]
      /** Whether e-mail addresses count as verified although the provider does not send `email_verified`. Only for a provider at which nobody can enter the address of another person. */
      trusts_email?: boolean
      /** Claim with groups or roles. Default: `groups`. */
      role_claim?: string
      /** Roles by value of the claim: `owner` and `admin` of the organization; `developer`, `operator` and `viewer` in every project. With a map, each sign-in sets the role, and the highest one counts. Empty: roles are managed in the console. */
      role_map?: Record<string, "owner" | "admin" | "developer" | "operator" | "viewer">
      /** Role of people whom the map gives none. Null: they must be invited, or be in the map. */
      default_role?: "owner" | "admin" | "developer" | "operator" | "viewer" | null
    }
    response: Sso
  }

  /**
   * Make the identity provider the only way to sign in.
   *
   * An extension of this server. Turns sign-in with passwords, passkeys and API keys off or on. Only a member who has signed in at the provider as it is now can turn it off, so that nobody is locked out; all sessions that began elsewhere end. If the provider fails later, `patchbay console link` prints a link on the server, and this operation with a key of the organization allows passwords again. Only an owner may call it.
   *
   * Requires an API key of the organization without restrictions.
   *
   * The example needs a provider.
   */
  "sso.setOnly": {
    request: {
      /** Whether the provider is the only way to sign in. */
      is_only: boolean
    }
    response: Sso
  }

  /**
   * Test an identity provider of members.
   *
   * An extension of this server. Reads the metadata and keys of a provider, and sends a token request with an invalid code, of which the error says whether the provider accepts the client. Stores nothing. Without `client_secret` the stored secret is used, if issuer and client id are the stored ones. Only an owner may call it.
   *
   * Requires an API key of the organization without restrictions.
   *
   * The example needs a provider.
   */
  "sso.test": {
    request: {
      /** Issuer, as the provider writes it, without `/.well-known/openid-configuration`. It must use https; http is for localhost only. */
      issuer: string
      /** Client id of this server at the provider. */
      client_id: string
      /** Client secret; null for a public client. */
      client_secret?: string | null
      /** Name on the button. Default: the host of the issuer. */
      name?: string
      /** Scopes, with `openid`. Default: `openid email profile`. */
      scopes?: string
      /** Domains of verified e-mail addresses that may sign in; empty for all. */
      allowed_domains?: string[]
      /** Whether e-mail addresses count as verified although the provider does not send `email_verified`. Only for a provider at which nobody can enter the address of another person. */
      trusts_email?: boolean
      /** Claim with groups or roles. Default: `groups`. */
      role_claim?: string
      /** Roles by value of the claim: `owner` and `admin` of the organization; `developer`, `operator` and `viewer` in every project. With a map, each sign-in sets the role, and the highest one counts. Empty: roles are managed in the console. */
      role_map?: Record<string, "owner" | "admin" | "developer" | "operator" | "viewer">
      /** Role of people whom the map gives none. Null: they must be invited, or be in the map. */
      default_role?: "owner" | "admin" | "developer" | "operator" | "viewer" | null
    }
    response: OpenIdProviderTest
  }

  /**
   * Read the state of the server.
   *
   * An extension of this server. Returns version, settings without secrets, checks of the installation, the database and the job queue. `patchbay doctor` checks more on the machine of the server, also while the server does not run.
   *
   * Requires an API key of the organization without restrictions.
   */
  "system.read": {
    request: Record<string, never>
    response: SystemState
  }

  /**
   * List the categories of toolkits.
   *
   * Returns all categories of toolkits on one page.
   *
   * Requires an API key with the permission `toolkits: read`.
   */
  "toolkits.categories": {
    request: Record<string, never>
    response: {
      /** Items of this page. */
      items: {
        /** Id of the category. */
        id: string
        /** Slug of the category. */
        slug: string
        /** Name of the category. */
        name: string
      }[]
      /** Value of `cursor` for the next page; null on the last page. */
      next_cursor: string | null
      /** Number of pages at this `limit`. */
      total_pages: number
      /** Number of this page, from 1. */
      current_page: number
      /** Number of items on all pages. */
      total_items: number
    }
  }

  /**
   * List recent versions of all toolkits.
   *
   * Returns the last 10 versions of every toolkit, with the changes in each.
   *
   * Requires an API key with the permission `toolkits: read`.
   */
  "toolkits.changelog": {
    request: Record<string, never>
    response: {
      /** Toolkits. */
      items: {
        /** Slug of the toolkit. */
        slug: string
        /** Name of the toolkit. */
        name: string
        /** Display name of the toolkit. */
        display_name: string
        /** Versions, newest first. */
        versions: {
          /** Version, `YYYYMMDD_NN`. */
          version: string
          /** Changes in the version. */
          changelog: string
        }[]
      }[]
    }
  }

  /**
   * Delete an imported toolkit.
   *
   * Deletes a toolkit that the project imported, with all its versions. Toolkits of the server cannot be deleted. Delete the auth configs of the toolkit first.
   *
   * Requires an API key with the permission `toolkits: write`.
   *
   * The example needs an imported toolkit.
   */
  "toolkits.delete": {
    request: {
      /** Slug of the toolkit. */
      slug: string
    }
    response: {
      /** Always true: a failure returns an error envelope. */
      success: boolean
    }
  }

  /**
   * Export a version of an imported toolkit.
   *
   * Returns the content of a version of a toolkit that the project imported, for `POST /toolkits/import` of another server with the type `toolkit` and the same `version`. `patchbay export` and `patchbay import` do both. Content has no credentials. It is at most 4 MB, compressed.
   *
   * Requires an API key with the permission `toolkits: write`.
   *
   * The example needs an imported toolkit.
   */
  "toolkits.exportVersion": {
    request: {
      /** Slug of the toolkit. */
      slug: string
      /** Version, `YYYYMMDD_NN`, or `latest`. */
      version: string
    }
    response: {
      /** Slug of the toolkit. */
      slug: string
      /** Version, `YYYYMMDD_NN`. */
      version: string
      /** SHA-256 of the content, in hexadecimal. */
      digest: string
      /** Origin of the version. */
      source: {
        /** `built_in`, or the kind of the imported document. */
        kind: string
        /** URL that the document was fetched from; null for none. */
        address: string | null
      }
      /** JSON of the content, compressed with gzip, in base64. */
      content_gzip: string
    }
  }

  /**
   * Import an API description as a toolkit.
   *
   * Turns an API description into a toolkit of the project: OpenAPI, Swagger, GraphQL, Postman, or a remote MCP server, or a version that another server exported. A second import of a slug creates a new version if the content differs. The response reports operations that cannot become tools; lists are cut, counts are complete. Bodies are limited to 6 MB.
   *
   * Requires an API key with the permission `toolkits: write`.
   */
  "toolkits.import": {
    request: {
      /** Kind of the document. `toolkit`: content that GET /toolkits/{slug}/versions/{version}/content returned. Default: detected from the content. */
      type?: "auto" | "openapi" | "graphql" | "postman" | "mcp" | "toolkit"
      /** URL of the document, of a GraphQL endpoint, or of a remote MCP server. With `content`: the URL that the content comes from. */
      url?: string
      /** The document, as text or as JSON. */
      content?: string | Record<string, unknown>
      /** The document as text, compressed with gzip, in base64. For documents of several megabytes. */
      content_gzip?: string
      /** Slug of the toolkit. Default: made from the title. */
      slug?: string
      /** Name of the toolkit. Default: the title of the document. */
      name?: string
      /** Base URL of the API, in place of the servers of the document. */
      server?: string
      /** Authentication of the API, in place of the schemes of the document. */
      auth?: {
        /** Kind of authentication. */
        type: "none"
      } | {
        /** Kind of authentication. */
        type: "basic"
      } | {
        /** Kind of authentication. */
        type: "bearer"
        /** Word before the value, e.g. Token. */
        prefix?: string
      } | {
        /** Kind of authentication. */
        type: "api_key"
        /** Where the key is sent. Default `header`. */
        in?: "header" | "query"
        /** Name of the header or query parameter. */
        name?: string
        /** Word before the value, e.g. Token. */
        prefix?: string
      } | {
        /** Kind of authentication. */
        type: "oauth2"
        /** URL of the authorization endpoint. */
        authorization_url: string
        /** URL of the token endpoint. */
        token_url: string
        /** OAuth scopes. */
        scopes?: string[]
      } | {
        /** Kind of authentication. */
        type: "client_credentials"
        /** URL of the token endpoint. */
        token_url: string
        /** OAuth scopes. */
        scopes?: string[]
      }
      /** Authentication schemes in the format of a toolkit manifest, in place of `auth`. */
      auth_schemes?: ({
        /** Authentication scheme, such as `OAUTH2`. */
        scheme: string
      } & Record<string, unknown>)[]
      /** Headers that are sent to the host of `url` while the document is fetched. They are never stored. */
      headers?: Record<string, string>
      /** IDs of all connected accounts of the toolkit. Confirms that their credentials go to the hosts of this import, which differ from those of the version before. Only with a key without restrictions. */
      confirm_accounts?: string[]
      /** Number of the new version, `YYYYMMDD_NN`, for copies of a toolkit of another server. It must be newer than all versions of the toolkit, and not of a day after tomorrow. The same content under the same number creates nothing. Default: the next number of today. */
      version?: string
      /** Imports an OpenAPI document with faults: repeated YAML keys and a missing or newer version are notes of the response, and arguments of JSON bodies are not checked against its schemas. Default false. */
      lenient?: boolean
      /** Preview the result without saving it. Default false. */
      dry_run?: boolean
    }
    response: ToolkitImportReport
  }

  /**
   * List toolkits.
   *
   * Returns a page of the toolkits: those of the server and those that the project imported.
   *
   * Requires an API key with the permission `toolkits: read`.
   */
  "toolkits.list": {
    request: {
      /** Id or name of a category. */
      category?: string
      /** `service`: toolkits of the server, as `type=native`. `project`: toolkits that the project imported, as `type=custom`. Default `all`. */
      managed_by?: "service" | "all" | "project"
      /** `native` toolkits of the server, or `custom` ones that the project imported. Default `all`. It takes precedence over `managed_by`. */
      type?: "native" | "custom" | "all"
      /** Sort order. Default: the best match first with `search`, else `usage`: the toolkits that the project called most in its last 10,000 calls, then those with most tools. */
      sort_by?: "usage" | "alphabetically"
      /** Include deprecated toolkits. Default false. */
      include_deprecated?: boolean
      /** Part of the name, the slug or the description. */
      search?: string
      /** Largest number of items on a page. Default 20; values above 1000 count as 1000. */
      limit?: number
      /** `next_cursor` of the previous page. Omit it for the first page. */
      cursor?: string
    }
    response: {
      /** Items of this page. */
      items: ToolkitSummary[]
      /** Value of `cursor` for the next page; null on the last page. */
      next_cursor: string | null
      /** Number of pages at this `limit`. */
      total_pages: number
      /** Number of this page, from 1. */
      current_page: number
      /** Number of items on all pages. */
      total_items: number
    }
  }

  /**
   * List several toolkits by slug.
   *
   * Returns a page of the toolkits with the given slugs. The filters are those of `GET /toolkits`.
   *
   * Requires an API key with the permission `toolkits: write`.
   */
  "toolkits.multi": {
    request: {
      /** Id or name of a category. */
      category?: string
      /** `service`: toolkits of the server, as `type=native`. `project`: toolkits that the project imported, as `type=custom`. Default `all`. */
      managed_by?: "service" | "all" | "project"
      /** `native` toolkits of the server, or `custom` ones that the project imported. Default `all`. It takes precedence over `managed_by`. */
      type?: "native" | "custom" | "all"
      /** Sort order. Default: the best match first with `search`, else `usage`: the toolkits that the project called most in its last 10,000 calls, then those with most tools. */
      sort_by?: "usage" | "alphabetically"
      /** Include deprecated toolkits. Default false. */
      include_deprecated?: boolean
      /** Slugs of toolkits. Unknown slugs are skipped. Default: all. */
      toolkits?: string[]
      /** Largest number of items on a page. Default 20; values above 1000 count as 1000. */
      limit?: number | null
      /** `next_cursor` of the previous page. Omit it for the first page. */
      cursor?: string | null
    }
    response: {
      /** Items of this page. */
      items: ToolkitSummary[]
      /** Value of `cursor` for the next page; null on the last page. */
      next_cursor: string | null
      /** Number of pages at this `limit`. */
      total_pages: number
      /** Number of this page, from 1. */
      current_page: number
      /** Number of items on all pages. */
      total_items: number
    }
  }

  /**
   * Read one toolkit.
   *
   * Returns one toolkit with its authentication schemes and the fields that each needs.
   *
   * Requires an API key with the permission `toolkits: read`.
   */
  "toolkits.read": {
    request: {
      /** Slug of the toolkit. */
      slug: string
      /** Version of the toolkit. Default `latest`. */
      version?: string
    }
    response: Toolkit
  }

  /**
   * Read how to set up a toolkit.
   *
   * An extension of this server. Returns, for each authentication scheme of a toolkit, where the OAuth app or the key is created at the vendor, the redirect URI to register there, and the steps.
   *
   * Requires an API key with the permission `toolkits: read`.
   */
  "toolkits.setup": {
    request: {
      /** Slug of the toolkit. */
      slug: string
    }
    response: {
      /** Slug of the toolkit. */
      slug: string
      /** Name of the toolkit. */
      name: string
      /** Schemes, the preferred one first. */
      schemes: SchemeSetup[]
    }
  }

  /**
   * List the versions of a toolkit.
   *
   * Returns the versions of a toolkit, newest first, with their origin.
   *
   * Requires an API key with the permission `toolkits: read`.
   */
  "toolkits.versions": {
    request: {
      /** Slug of the toolkit. */
      slug: string
    }
    response: {
      /** Versions, newest first. */
      items: ToolkitVersion[]
    }
  }

  /**
   * List the slugs of all tools.
   *
   * Returns the slugs of all tools as one JSON list.
   *
   * Requires an API key with the permission `tools: read`.
   */
  "tools.enum": {
    request: Record<string, never>
    response: string[]
  }

  /**
   * Execute a tool.
   *
   * Executes a tool with the connected account of a user. A failure of the tool returns 200 with `successful: false` and the reason in `error`. Clients must not repeat this request automatically, unless they send an `Idempotency-Key` header.
   *
   * Requires an API key with the permission `tool_execution: write`.
   */
  "tools.execute": {
    request: {
      /** Slug of the tool, in any letter case. */
      tool_slug: string
      /** Id of the user that the call is for. Without `connected_account_id`, the account of this user that was connected last is used. */
      user_id?: string
      /**
       * Deprecated: use `user_id`.
       * @deprecated
       */
      entity_id?: string
      /** Id of the connected account, `ca_…`. Send `user_id` with it. */
      connected_account_id?: string
      /** Arguments of the tool, valid against its `input_parameters`. */
      arguments?: Record<string, unknown>
      /** Task in natural language, from which a language model writes the arguments. Not together with `arguments`. */
      text?: string
      /** Version of the toolkit. Default: `00000000_00` in v3, `latest` in v3.1. */
      version?: string
      /** Authentication of this call, in place of a connected account. */
      custom_auth_params?: {
        /** Base URL of the API, in place of the one of the toolkit. */
        base_url?: string
        /** Headers and query parameters to add. At most 100. */
        parameters?: ({
          /** Name of the header or query parameter. */
          name: string
          /** Where the parameter is sent. */
          in: "header" | "query"
          /** Value of the parameter. */
          value: string | number | boolean
        })[]
        /** Fields to add to a JSON body. */
        body?: Record<string, unknown>
      }
      /** Credentials of this call, in place of a connected account. They take precedence over `custom_auth_params`. */
      custom_connection_data?: {
        /** Authentication scheme, in any letter case. */
        authScheme: string
        /** Slug of the toolkit of the tool. */
        toolkitSlug: string
        /** Credentials by field name, such as `access_token`. */
        val: Record<string, unknown>
      }
      /**
       * Deprecated: accepted and ignored.
       * @deprecated
       */
      allow_tracing?: boolean | null
      /** Size and form of the result. */
      response?: {
        /** Paths of the result to return, such as `items.id`; `*` matches every name. */
        fields?: string[]
        /** About how many tokens of the result to return at once. Further pages are read with `GET /tools/responses/{response_id}`. */
        max_tokens?: number
        /** Return the request that would be sent, without credentials, and send nothing. Default false. */
        dry_run?: boolean
      }
      /** Read the pages of a list one after another and return them as one. For tools that return pages. An addition of this server. */
      paging?: {
        /** Largest number of pages to read. Default 10. */
        max_pages?: number
        /** Stop reading pages after this number of items. Default 1000. */
        max_items?: number
      }
    }
    response: {
      /** Result of the tool. On failure: `message`, and `status_code` of the application. */
      data: Record<string, unknown>
      /** Reason why the tool failed; null on success. */
      error: string | null
      /** Whether the tool succeeded. */
      successful: boolean
      /** The session at the application in which the tool ran. Null for a call without an account, and for credentials whose end is not known, such as API keys. */
      session_info: {
        /** Id of the connected account that the call used, `ca_…`. */
        session_id: string
        /** When the access token or session of the account ends. */
        expires_at: string
      }
      /** Id of the log of the call, `log_…`. */
      log_id: string
      /** Details of the result, when `response` asked for a special form or the result was replayed. */
      response?: {
        /** Id with which the other pages are read. */
        id?: string
        /** Number of this page, from 1. */
        page?: number
        /** Number of pages. */
        pages?: number
        /** Number of the next page; null on the last one. */
        next_page?: number | null
        /** Path of the result at which this page begins; `text@900` is a position inside a text. */
        begins_at?: string
        /** Estimated tokens of this page. */
        tokens?: number
        /** Estimated tokens of the whole result. */
        total_tokens?: number
        /** When the pages are removed. */
        expires_at?: string
        /** Paths of `fields` at which the result has no value. */
        missing_fields?: string[]
        /** True when this is the recorded result of an earlier call with the same Idempotency-Key. */
        replayed?: boolean
      }
      /** Number of pages and items that were read. `next` holds the arguments that continue the list. */
      paging?: {
        /** Number of pages that were read. */
        pages: number
        /** Number of items that were read. */
        items: number
        /** Whether the list is complete. */
        complete: boolean
        /** Arguments that continue the list; null when it is complete. */
        next: Record<string, unknown> | null
        /** Reason why the list is not complete; null when it is. */
        stopped_by: "max_pages" | "max_items" | "size" | "repetition" | "not_allowed" | "error" | null
        /** Error of the page that could not be read; null for none. */
        error?: string | null
      }
    }
  }

  /**
   * Write arguments from text.
   *
   * Writes the arguments of a tool from text, with the language model of the server. The tool is not executed. Servers without a model return `ActionExecute_NoModelConfigured`.
   *
   * Requires an API key with the permission `tool_execution: write`.
   *
   * The example needs a configured language model.
   */
  "tools.input": {
    request: {
      /** Slug of the tool, in any letter case. */
      tool_slug: string
      /** Task in natural language. At most 20,000 characters. */
      text: string
      /** Description of the tool for the model, in place of its own. */
      custom_description?: string
      /** Instructions for the model, in place of those of the server. */
      system_prompt?: string
      /** Version of the toolkit. Default `latest`. */
      version?: string
    }
    response: {
      /** Arguments of the tool. Absent when the text does not contain them. */
      arguments?: Record<string, unknown>
      /** What the text does not contain. Absent on success. */
      error?: string
    }
  }

  /**
   * List tools.
   *
   * Returns a page of tools with their schemas. Without a filter it lists all tools. In v3 schemas are flat maps, in v3.1 JSON Schema.
   *
   * Requires an API key with the permission `tools: read`.
   */
  "tools.list": {
    request: {
      /** Slugs of toolkits; tools of any of them. */
      toolkit_slug?: string[]
      /** Slugs of tools. All other filters are ignored; unknown slugs are skipped. */
      tool_slugs?: string[]
      /** Ids of auth configs: only tools of their toolkits that they allow. */
      auth_config_ids?: string[]
      /** `true`: only tools with the tag `important`. */
      important?: "true" | "false"
      /** Tags; tools with any of them. */
      tags?: string[]
      /** Granted OAuth scopes: only tools that work with them. */
      scopes?: string[]
      /** Text to search for: the best matches, best first. Empty if none. */
      query?: string
      /**
       * Deprecated: use `query`.
       * @deprecated
       */
      search?: string
      /** Add `explanation`: why the tools have this order. Needs `query`. Default false. */
      explain?: boolean
      /** Include deprecated tools. Default true. */
      include_deprecated?: boolean
      /** Version for all toolkits, or versions by toolkit slug. Default: `00000000_00` in v3, `latest` in v3.1. */
      toolkit_versions?: string | Record<string, string>
      /** Write `input_parameters` as JSON Schema that this model vendor accepts. Tools that cannot be written in it are left out. */
      dialect?: "openai" | "openai_strict" | "anthropic" | "gemini"
      /** Largest number of items on a page. Default 20; values above 1000 count as 1000. */
      limit?: number
      /** `next_cursor` of the previous page. Omit it for the first page. */
      cursor?: string
    }
    response: {
      /** Items of this page. */
      items: Tool[]
      /** Value of `cursor` for the next page; null on the last page. */
      next_cursor: string | null
      /** Number of pages at this `limit`. */
      total_pages: number
      /** Number of this page, from 1. */
      current_page: number
      /** Number of items on all pages. */
      total_items: number
      /** Why the tools have this order. Only with `explain=true` and `query`. */
      explanation?: {
        /** Language that the request was translated from, such as `de`; else null. */
        language: string | null
        /** Words that were taken for misspelt ones. */
        corrections: {
          /** The word as it was sent. */
          from: string
          /** The word that was searched for. */
          to: string
        }[]
        /** Applications that the request seems to name, most certain first. At most 10. */
        applications: {
          /** Slug of the toolkit. */
          toolkit_slug: string
          /** Above 0, at most 1. From 0.6 on it counts as named. */
          certainty: number
        }[]
        /** Whether the first tool is likely what was asked for. */
        fit: {
          /** `none`: in a session the search would offer no tool to call. */
          level: "good" | "weak" | "none"
          /** Share of the request that the first tool contains, 0 to 1. */
          coverage: number
          /** Why the level is `none`; else null. */
          reason: "not_installed" | "no_tools" | "no_such_action" | "unlike" | null
        }
        /** The tools of this page, in its order. */
        tools: {
          /** Slug of the tool. */
          slug: string
          /** Position in the whole list, from 1. */
          rank: number
          /** Compares tools of one response, not of two responses. */
          score: number
          /** What the score consists of. The signals add up to `score`. */
          signals: {
            /** Words of the request in the tool, rare ones count more. 1 for the tool with the most. */
            words: number
            /** Share of the tool's name that the request contains. At most 0.2. */
            name: number
            /** Agreement of the verb of the request and of the tool: −0.1 to 0.1. */
            verb: number
            /** The name begins with the verb of the request, and is about the thing that the request names: 0.1 each. */
            command: number
            /** Certainty that the request names the application: up to 0.5, or −0.2 if it names another. */
            application: number
            /** Similarity of meaning, by word vectors. At most 0.6. */
            meaning: number
            /** Similarity by the embedding model, if there is one: −0.6 to 0.6. */
            similarity: number
            /** 0.25 for a tool that was written by hand, else 0. */
            curated: number
            /** Only in sessions: the user can use the application without another step. */
            connected: number
            /** Only in sessions: the project called the tool successfully before. */
            used: number
            /** 0.03 less for each part of the path of the request. At least −0.18. */
            depth: number
            /** −1 for a tool after the best 200 by words. Its other signals are not computed. */
            unrated: number
            /** 0.2 less for each better tool that does the same in another edition of an API. */
            repeated: number
            /** What a tool that the first one needs a value of gets, so that it is the fifth. */
            needed: number
          }
          /** Words of the request that the tool contains. */
          words: {
            /** Word of the request, in English and corrected. */
            word: string
            /** Stem that the tool contains: of the word or of a synonym. */
            matched: string
            /** 0 to 1. High in the name or in a short description. */
            strength: number
          }[]
        }[]
      }
      /** Slugs of custom toolkits whose search is still being prepared. Their tools are missing from the result. Search again in a minute. */
      toolkits_not_searched?: string[]
    }
  }

  /**
   * Send a proxy request.
   *
   * Sends an HTTP request to an application with the credentials of a connected account. Only URLs of the application are allowed. Returns 200 whenever the application responded; `status` is its status. Clients must not repeat this request automatically.
   *
   * Requires an API key with the permission `proxy_execute: write`.
   *
   * The example needs a connected account.
   */
  "tools.proxy": {
    request: {
      /** Id of the connected account, `ca_…`. */
      connected_account_id?: string
      /** Id of the user that the account belongs to. */
      user_id?: string
      /** Path below the base URL of the account, or a URL of the same site. */
      endpoint: string
      /** HTTP method. */
      method: "GET" | "POST" | "PUT" | "DELETE" | "PATCH" | "HEAD"
      /** Body. Objects and lists are sent as JSON, or as a form if a content-type header says so; text is sent as it is. */
      body?: unknown
      /** Binary body: a URL that the server fetches without credentials, or base64. Not together with `body`. */
      binary_body?: {
        /** URL from which the server fetches the content, without credentials. */
        url?: string
        /** Content in base64. At most 4 MB before encoding. */
        base64?: string
        /** Media type of the content. */
        content_type?: string
      }
      /** Headers and query parameters to add. At most 100. */
      parameters?: ({
        /** Name of the header or query parameter. */
        name: string
        /** Where the parameter is sent. */
        type: "header" | "query"
        /** Value of the parameter. */
        value: string
      })[]
      /** Credentials to use in place of a connected account. */
      custom_connection_data?: {
        /** Authentication scheme, in any letter case. */
        authScheme: string
        /** Slug of the toolkit of the tool. */
        toolkitSlug: string
        /** Credentials by field name, such as `access_token`. */
        val: Record<string, unknown>
      }
    }
    response: {
      /** HTTP status of the application. */
      status: number
      /** Body as JSON or text. */
      data?: unknown
      /** Stored body, in place of `data`, when it is not text or is larger than 10 MB. */
      binary_data?: {
        /** URL for the download. */
        url: string
        /** Media type. */
        content_type: string
        /** Size in bytes. */
        size: number
        /** When the URL expires. */
        expires_at: string
      }
      /** Headers of the application. */
      headers: Record<string, string>
    }
  }

  /**
   * Read one tool.
   *
   * Returns one tool with the schemas of its arguments and its result.
   *
   * Requires an API key with the permission `tools: read`.
   */
  "tools.read": {
    request: {
      /** Slug of the tool, in any letter case. */
      tool_slug: string
      /** Version of the toolkit. It takes precedence over `toolkit_versions`. */
      version?: string
      /** Version for all toolkits, or versions by toolkit slug. Default: `00000000_00` in v3, `latest` in v3.1. */
      toolkit_versions?: string | Record<string, string>
      /** Write `input_parameters` as JSON Schema that this model vendor accepts. */
      dialect?: "openai" | "openai_strict" | "anthropic" | "gemini"
    }
    response: Tool
  }

  /**
   * Read a further page of a large result.
   *
   * Returns a further page of a result that was larger than `response.max_tokens` of its execution. Pages are stored for one hour.
   *
   * Requires an API key with the permission `tool_execution: write`.
   *
   * The example needs an execution with a large result.
   */
  "tools.responsePage": {
    request: {
      /** Value of `response.id` of the execution, `rsp_…`. */
      response_id: string
      /** Number of the page, from 1. Default 2. */
      page?: number
    }
    response: {
      /** Part of the result. */
      data: Record<string, unknown>
      /** Details of this page. */
      response: {
        /** Id with which the other pages are read. */
        id?: string
        /** Number of this page, from 1. */
        page?: number
        /** Number of pages. */
        pages?: number
        /** Number of the next page; null on the last one. */
        next_page?: number | null
        /** Path of the result at which this page begins; `text@900` is a position inside a text. */
        begins_at?: string
        /** Estimated tokens of this page. */
        tokens?: number
        /** Estimated tokens of the whole result. */
        total_tokens?: number
        /** When the pages are removed. */
        expires_at?: string
        /** Paths of `fields` at which the result has no value. */
        missing_fields?: string[]
        /** True when this is the recorded result of an earlier call with the same Idempotency-Key. */
        replayed?: boolean
      }
    }
  }

  /**
   * List the scopes that tools need.
   *
   * Returns the OAuth scopes that a set of tools of one toolkit needs, in total and for each tool.
   *
   * Requires an API key with the permission `tools: read`.
   */
  "tools.scopesRequired": {
    request: {
      /** Slugs of tools of one toolkit. At most 1000. */
      tools: string[]
      /** Version of the toolkit. Default `latest`. */
      version?: string
    }
    response: {
      /** OAuth scopes that cover all the tools. */
      scopes_required: string[]
      /** Requirements of each tool. */
      per_tool_requirements: ({
        /** Slug of the tool. */
        tool: string
        /** Which scopes are alternatives: all of `all_of` are needed, of an `any_of` one. Null when the tool needs none. */
        scope_requirements: Record<string, unknown> | null
      })[]
    }
  }

  /**
   * List the slugs of all trigger types.
   *
   * Returns the slugs of all trigger types as one JSON list.
   *
   * Requires an API key with the permission `triggers: read`.
   */
  "triggerTypes.enum": {
    request: Record<string, never>
    response: string[]
  }

  /**
   * List trigger types.
   *
   * Returns a page of trigger types: the events of applications that the server can report.
   *
   * Requires an API key with the permission `triggers: read`.
   */
  "triggerTypes.list": {
    request: {
      /** Slugs of toolkits; trigger types of any of them. */
      toolkit_slugs?: string[]
      /** Version for all toolkits, or versions by toolkit slug. Default `latest`. */
      toolkit_versions?: string | Record<string, string>
      /** Largest number of items on a page. Default 20; values above 1000 count as 1000. */
      limit?: number
      /** `next_cursor` of the previous page. Omit it for the first page. */
      cursor?: string
    }
    response: {
      /** Items of this page. */
      items: TriggerType[]
      /** Value of `cursor` for the next page; null on the last page. */
      next_cursor: string | null
      /** Number of pages at this `limit`. */
      total_pages: number
      /** Number of this page, from 1. */
      current_page: number
      /** Number of items on all pages. */
      total_items: number
    }
  }

  /**
   * Read a trigger type.
   *
   * Returns one trigger type with the schemas of its configuration and its events.
   *
   * Requires an API key with the permission `triggers: read`.
   */
  "triggerTypes.read": {
    request: {
      /** Slug of the trigger type, in any letter case. */
      slug: string
      /** Version for all toolkits, or versions by toolkit slug. Default `latest`. */
      toolkit_versions?: string | Record<string, string>
    }
    response: TriggerType
  }

  /**
   * List trigger instances, newest first.
   *
   * Returns a page of trigger instances, newest first. Disabled ones are left out unless `show_disabled` is true.
   *
   * Requires an API key with the permission `triggers: read`.
   */
  "triggers.active": {
    request: {
      /** Ids of connected accounts; instances of any of them. */
      connected_account_ids?: string[]
      /** Ids of auth configs; instances of any of them. */
      auth_config_ids?: string[]
      /** Ids of trigger instances. */
      trigger_ids?: string[]
      /** Slugs of trigger types, in any letter case. */
      trigger_names?: string[]
      /** Ids of users; instances of any of them. */
      user_ids?: string[]
      /** Include disabled instances. Default false. */
      show_disabled?: boolean
      /**
       * Deprecated: use `cursor`.
       * @deprecated
       */
      page?: number
      /** Largest number of items on a page. Default 20; values above 1000 count as 1000. */
      limit?: number
      /** `next_cursor` of the previous page. Omit it for the first page. */
      cursor?: string
      /**
       * Deprecated: use `connected_account_ids`.
       * @deprecated
       */
      connectedAccountIds?: string[]
      /**
       * Deprecated: use `auth_config_ids`.
       * @deprecated
       */
      authConfigIds?: string[]
      /**
       * Deprecated: use `trigger_ids`.
       * @deprecated
       */
      triggerIds?: string[]
      /**
       * Deprecated: use `trigger_names`.
       * @deprecated
       */
      triggerNames?: string[]
      /**
       * Deprecated: use `show_disabled`.
       * @deprecated
       */
      showDisabled?: boolean
      /**
       * Deprecated: use `connected_account_ids`.
       * @deprecated
       */
      deprecatedConnectedAccountUuids?: string[]
      /**
       * Deprecated: use `auth_config_ids`.
       * @deprecated
       */
      deprecatedAuthConfigUuids?: string[]
    }
    response: {
      /** Items of this page. */
      items: TriggerInstance[]
      /** Value of `cursor` for the next page; null on the last page. */
      next_cursor: string | null
      /** Number of pages at this `limit`. */
      total_pages: number
      /** Number of this page, from 1. */
      current_page: number
      /** Number of items on all pages. */
      total_items: number
    }
  }

  /**
   * Delete a trigger instance.
   *
   * Deletes a trigger instance and removes its webhook at the application.
   *
   * Requires an API key with the permission `triggers: write`.
   *
   * The example needs a trigger instance.
   */
  "triggers.delete": {
    request: {
      /** Id of the trigger instance, `ti_…`. */
      trigger_id: string
    }
    response: {
      /** Id of the trigger instance, `ti_…`. */
      trigger_id: string
    }
  }

  /**
   * Enable or disable a trigger instance.
   *
   * Enables or disables a trigger instance. Setting the current status changes nothing and succeeds.
   *
   * Requires an API key with the permission `triggers: write`.
   *
   * The example needs a trigger instance.
   */
  "triggers.setStatus": {
    request: {
      /** Id of the trigger instance, `ti_…`. */
      trigger_id: string
      /** New status. */
      status: "enable" | "disable"
    }
    response: {
      /** Always `success`. */
      status: "success"
    }
  }

  /**
   * Send a test event of a trigger instance.
   *
   * An extension of this server. Publishes an event of the instance with sample data, as if the application had reported it: webhook subscriptions and event streams receive it, and it is in the log of the instance. Without `payload`, the data is made from the schema of the trigger type.
   *
   * Requires an API key with the permission `triggers: write`.
   *
   * The example needs a trigger instance.
   */
  "triggers.test": {
    request: {
      /** Id of the trigger instance, `ti_…`. */
      trigger_id: string
      /** Data of the event. Default: sample data that matches the schema. */
      payload?: Record<string, unknown>
    }
    response: {
      /** Data of the event that was published. */
      payload: Record<string, unknown>
    }
  }

  /**
   * Create or enable a trigger instance.
   *
   * Creates a trigger instance for a connected account, or enables the existing one with the same account, type and configuration. Events are delivered to the webhook subscriptions of the project. Webhook triggers are registered at the application during this call. A project may have a limited number of instances.
   *
   * Requires an API key with the permission `triggers: write`.
   *
   * The example needs a connected account.
   */
  "triggers.upsert": {
    request: {
      /** Slug of the trigger type, in any letter case. */
      slug: string
      /** Id of the connected account, `ca_…`. */
      connected_account_id?: string
      /** Without `connected_account_id`: the account of this user that was connected last. */
      user_id?: string
      /** Configuration, valid against `config` of the trigger type. Fields that are left out have their default. */
      trigger_config?: Record<string, unknown>
      /** Version for all toolkits, or versions by toolkit slug. Default `latest`. */
      toolkit_versions?: null | string | Record<string, string>
      /**
       * Deprecated: use `connected_account_id`.
       * @deprecated
       */
      connectedAuthId?: string
      /**
       * Deprecated: use `trigger_config`.
       * @deprecated
       */
      triggerConfig?: Record<string, unknown>
      /**
       * Deprecated: use `toolkit_versions`.
       * @deprecated
       */
      version?: string
    }
    response: {
      /** Id of the trigger instance, `ti_…`. */
      trigger_id: string
      /** Deprecated fields of earlier versions. Only in v3. */
      deprecated?: {
        /**
         * Deprecated: legacy UUID of the trigger instance.
         * @deprecated
         */
        uuid: string
      }
    }
  }

  /**
   * Usage of the project by group.
   *
   * Returns one kind of usage of the project in a period, in total and by group.
   *
   * Requires an API key with the permission `observability: read`.
   */
  "usage.entity": {
    request: {
      /** Kind of usage. */
      entity_type: "tool_calls" | "sessions"
      /** Begin of the period, in milliseconds since 1970 (UTC), inclusive. Default: 30 days before `to`. */
      from?: number
      /** End of the period, in milliseconds since 1970 (UTC), exclusive. Default: now. */
      to?: number
      /** Field to group by. Default: `tool_slug` for tool calls, `user_id` for sessions. */
      group_by?: "tool_slug" | "toolkit_slug" | "user_id" | "connected_account_id" | "auth_config_id" | "session_id" | "project_id"
      /** Field to sort the groups by. Default `total_quantity`. */
      order_by?: "key" | "total_quantity" | "event_count"
      /** Sort order. Default `desc`. */
      order_direction?: "asc" | "desc"
      /** Largest number of groups. Default 100; values above 1000 count as 1000. */
      limit?: number
      /** Filters. All of them must match. */
      filters?: {
        /** Only usage of these users; null for all. */
        user_id?: string[] | null
        /** Only usage in these sessions; null for all. */
        session_id?: string[] | null
      }
    }
    response: {
      /** Kind of usage. */
      entity_type: string
      /** Unit of the quantity. */
      unit: string
      /** Quantity in the unit, as decimal text. */
      total_quantity: string
      /** Number of recorded events. */
      event_count: number
      /** Usage by group. */
      groups: {
        /** Value of the field that groups are formed by. */
        key: string
        /** Quantity in the unit, as decimal text. */
        total_quantity: string
        /** Number of recorded events. */
        event_count: number
      }[]
    }
  }

  /**
   * Usage of the organization by group.
   *
   * Returns one kind of usage of all projects of the organization in a period, in total and by group.
   *
   * Requires an API key of the organization with the permission `usage: read`.
   */
  "usage.orgEntity": {
    request: {
      /** Kind of usage. */
      entity_type: "tool_calls" | "sessions"
      /** Begin of the period, in milliseconds since 1970 (UTC), inclusive. Default: 30 days before `to`. */
      from?: number
      /** End of the period, in milliseconds since 1970 (UTC), exclusive. Default: now. */
      to?: number
      /** Field to group by. Default: `tool_slug` for tool calls, `user_id` for sessions. */
      group_by?: "tool_slug" | "toolkit_slug" | "user_id" | "connected_account_id" | "auth_config_id" | "session_id" | "project_id"
      /** Field to sort the groups by. Default `total_quantity`. */
      order_by?: "key" | "total_quantity" | "event_count"
      /** Sort order. Default `desc`. */
      order_direction?: "asc" | "desc"
      /** Largest number of groups. Default 100; values above 1000 count as 1000. */
      limit?: number
      /** Filters. All of them must match. */
      filters?: {
        /** Only usage of these users; null for all. */
        user_id?: string[] | null
        /** Only usage in these sessions; null for all. */
        session_id?: string[] | null
        /** Only usage of these projects; null for all. */
        project_id?: string[] | null
      }
    }
    response: {
      /** Kind of usage. */
      entity_type: string
      /** Unit of the quantity. */
      unit: string
      /** Quantity in the unit, as decimal text. */
      total_quantity: string
      /** Number of recorded events. */
      event_count: number
      /** Usage by group. */
      groups: {
        /** Value of the field that groups are formed by. */
        key: string
        /** Quantity in the unit, as decimal text. */
        total_quantity: string
        /** Number of recorded events. */
        event_count: number
      }[]
    }
  }

  /**
   * Usage of the organization.
   *
   * Returns the usage of all projects of the organization in a period, by kind.
   *
   * Requires an API key of the organization with the permission `usage: read`.
   */
  "usage.orgSummary": {
    request: {
      /** Begin of the period, in milliseconds since 1970 (UTC), inclusive. Default: 30 days before `to`. */
      from?: number
      /** End of the period, in milliseconds since 1970 (UTC), exclusive. Default: now. */
      to?: number
      /** Kinds of usage to include: `tool_calls`, `sessions`. Default: all. */
      entity_types?: string[]
      /** Filters. All of them must match. */
      filters?: {
        /** Only usage of these users; null for all. */
        user_id?: string[] | null
        /** Only usage in these sessions; null for all. */
        session_id?: string[] | null
        /** Only usage of these projects; null for all. */
        project_id?: string[] | null
      }
    }
    response: {
      /** Usage by kind. */
      entities: Record<string, {
        /** Unit of the quantity. */
        unit: string
        /** Quantity in the unit, as decimal text. */
        total_quantity: string
        /** Number of recorded events. */
        event_count: number
      }>
    }
  }

  /**
   * Usage of the project.
   *
   * Returns the usage of the project in a period, by kind.
   *
   * Requires an API key with the permission `observability: read`.
   */
  "usage.summary": {
    request: {
      /** Begin of the period, in milliseconds since 1970 (UTC), inclusive. Default: 30 days before `to`. */
      from?: number
      /** End of the period, in milliseconds since 1970 (UTC), exclusive. Default: now. */
      to?: number
      /** Kinds of usage to include: `tool_calls`, `sessions`. Default: all. */
      entity_types?: string[]
      /** Filters. All of them must match. */
      filters?: {
        /** Only usage of these users; null for all. */
        user_id?: string[] | null
        /** Only usage in these sessions; null for all. */
        session_id?: string[] | null
      }
    }
    response: {
      /** Usage by kind. */
      entities: Record<string, {
        /** Unit of the quantity. */
        unit: string
        /** Quantity in the unit, as decimal text. */
        total_quantity: string
        /** Number of recorded events. */
        event_count: number
      }>
    }
  }

  /**
   * Delete a user and revoke the access of its accounts.
   *
   * An extension of this server. Deletes the connected accounts of the user and revokes their access at the providers, deletes sessions with their files, memories and recipes, sign-ins of MCP clients, approvals, and the execution log of the user. It runs in the background and continues after a restart; read the user for its progress. A second request during a deletion returns the running one.
   *
   * Requires an API key without restrictions.
   *
   * The example needs a user.
   */
  "users.delete": {
    request: {
      /** Id of the user in your application. */
      user_id: string
    }
    response: UserDeletion
  }

  /**
   * Export everything about a user.
   *
   * An extension of this server. Returns a page of what the project has of a user as NDJSON text: connected accounts without credentials, sessions, memories, recipes, approvals, sign-ins of MCP clients, and executions with their arguments and results. Append pages to make the file; each page is an entry of the audit log.
   *
   * Requires an API key without restrictions.
   */
  "users.export": {
    request: {
      /** Id of the user in your application. */
      user_id: string
      /** Largest number of items on a page. Default 20; values above 1000 count as 1000. */
      limit?: number
      /** `next_cursor` of the previous page. Omit it for the first page. */
      cursor?: string
    }
    response: {
      /** One JSON object a line; `type` is the kind of the object. */
      content: string
      /** Value of `cursor` for the next page; null on the last page. */
      next_cursor: string | null
    }
  }

  /**
   * List users.
   *
   * An extension of this server. Returns the users of the project in the order of their ids. A user is every `user_id` with a connected account, a session or an execution; users are not created separately. A search in a project with very many users returns what it found within half a second, which can be fewer users than `limit` or none; `next_cursor` continues it.
   *
   * Requires an API key with the permission `connected_accounts: read`.
   */
  "users.list": {
    request: {
      /** Largest number of items on a page. Default 20; values above 1000 count as 1000. */
      limit?: number
      /** `next_cursor` of the previous page. Omit it for the first page. */
      cursor?: string
      /** Only users whose id contains this text, in any letter case. */
      search?: string
    }
    response: {
      /** Users of this page. */
      items: UserSummary[]
      /** Value of `cursor` for the next page; null on the last page. */
      next_cursor: string | null
    }
  }

  /**
   * Read a user.
   *
   * An extension of this server. Returns what the project has of a user: numbers of accounts, sessions and executions, and the latest deletion. Lists of accounts, sessions and logs take the user as a filter.
   *
   * Requires an API key with the permission `connected_accounts: read`.
   *
   * The example needs a user.
   */
  "users.show": {
    request: {
      /** Id of the user in your application. */
      user_id: string
    }
    response: {
      /** Id of the user in your application. */
      user_id: string
      /** Number of connected accounts. */
      accounts: number
      /** Number of connected accounts that are ACTIVE. */
      active_accounts: number
      /** Number of sessions. */
      sessions: number
      /** Number of executions in the last seven days. */
      calls_7d: number
      /** Number of executions that failed in the last seven days. */
      failed_7d: number
      /** Begin of the last execution; null for none. */
      last_call_at: string | null
      /** Toolkits of the connected accounts. */
      toolkits: string[]
      /** Toolkits about which agents stored notes. */
      memories: number
      /** Number of saved recipes. */
      recipes: number
      /** The latest deletion of the user; null for none. */
      deletion: {
        /** Id of the deletion, `udl_…`. */
        id: string
        /** `pending` while the background job runs; `failed` after its last attempt. */
        status: "pending" | "done" | "failed"
        /** What was removed so far, by kind, such as `accounts` and `executions`. */
        removed: Record<string, number>
        /** Error of the last attempt; null for none. */
        last_error: string | null
        /** When the deletion was requested. */
        created_at: string
        /** When it ended; null while it runs. */
        finished_at: string | null
      }
    }
  }

  /**
   * Create a webhook endpoint.
   *
   * Creates the webhook endpoint of a toolkit, or returns the existing one. Enter its `webhook_url` in the settings of the app. Toolkits whose triggers need no endpoint return `WebhookEndpoint_NotSupported`.
   *
   * Requires an API key with the permission `webhooks: write`.
   */
  "webhookEndpoints.create": {
    request: {
      /** Slug of the toolkit. */
      toolkit_slug: string
      /** Client id of the OAuth app whose events arrive; null or absent for every app. */
      client_id?: string | null
    }
    response: WebhookEndpoint
  }

  /**
   * Delete a webhook endpoint.
   *
   * Deletes a webhook endpoint. Its URL stops working at once and cannot be restored.
   *
   * Requires an API key with the permission `webhooks: write`.
   *
   * The example needs a webhook endpoint.
   */
  "webhookEndpoints.delete": {
    request: {
      /** Id of the webhook endpoint, `we_…`. */
      nano_id: string
    }
    response: {
      /** Always true: a failure returns an error envelope. */
      success: boolean
    }
  }

  /**
   * List webhook endpoints.
   *
   * Returns the webhook endpoints of the project: URLs at which applications deliver their events.
   *
   * Requires an API key with the permission `webhooks: read`.
   */
  "webhookEndpoints.list": {
    request: {
      /** Only endpoints of this toolkit. */
      toolkit_slug?: string
    }
    response: {
      /** Webhook endpoints. */
      items: ({
        /** Id of the webhook endpoint, `we_…`. */
        id: string
        /** Slug of the toolkit. */
        toolkit_slug: string
        /** Client id of the OAuth app whose events arrive; null for every app. */
        client_id: string | null
      })[]
    }
  }

  /**
   * Change set-up values of a webhook endpoint.
   *
   * Changes the given set-up values of a webhook endpoint; all others stay as they are.
   *
   * Requires an API key with the permission `webhooks: write`.
   *
   * The example needs a webhook endpoint.
   */
  "webhookEndpoints.merge": {
    request: {
      /** Id of the webhook endpoint, `we_…`. */
      nano_id: string
      /** Values of set-up fields by name. Masked values are ignored; null removes a value. */
      data: Record<string, string | null>
    }
    response: WebhookEndpoint
  }

  /**
   * Read a webhook endpoint.
   *
   * Returns one webhook endpoint. Secrets are masked.
   *
   * Requires an API key with the permission `webhooks: read`.
   *
   * The example needs a webhook endpoint.
   */
  "webhookEndpoints.read": {
    request: {
      /** Id of the webhook endpoint, `we_…`. */
      nano_id: string
    }
    response: WebhookEndpoint
  }

  /**
   * Replace the set-up values of a webhook endpoint.
   *
   * Replaces all set-up values of a webhook endpoint.
   *
   * Requires an API key with the permission `webhooks: write`.
   *
   * The example needs a webhook endpoint.
   */
  "webhookEndpoints.replace": {
    request: {
      /** Id of the webhook endpoint, `we_…`. */
      nano_id: string
      /** Values of set-up fields by name. Masked values are ignored; null removes a value. */
      data: Record<string, string | null>
    }
    response: WebhookEndpoint
  }

  /**
   * Read the set-up fields of a webhook endpoint.
   *
   * Returns the fields that the webhook endpoint of a toolkit needs, such as a signing secret.
   *
   * Requires an API key with the permission `webhooks: read`.
   */
  "webhookEndpoints.schema": {
    request: {
      /** Slug of the toolkit. */
      toolkit_slug: string
    }
    response: {
      /** Slug of the toolkit. */
      toolkit_slug: string
      /** Fields that the endpoint needs, by name. */
      setup_fields: Record<string, {
        /** Display name. */
        display_name: string
        /** Description of the field, and where to find its value. */
        description: string
        /** Whether the field is required. */
        is_required: boolean
        /** Whether the value is a secret. */
        is_secret: boolean
      }>
    }
  }

  /**
   * Create a webhook subscription.
   *
   * Creates a webhook subscription: events of the given types are delivered to the URL as signed HTTP requests. Deliveries are repeated until the receiver returns a 2xx status. A project may have 20 subscriptions, and one for each URL.
   *
   * Requires an API key with the permission `webhooks: write`.
   */
  "webhooks.create": {
    request: {
      /** HTTPS URL without credentials. `http` is accepted only for loopback hosts that EGRESS_ALLOW opens. */
      webhook_url: string
      /** Types of the events that are delivered. */
      enabled_events: ("service.trigger.message" | "service.connected_account.active" | "service.connected_account.failed" | "service.connected_account.deleted" | "service.connected_account.expired" | "service.webhook.disabled" | "service.trigger.disabled" | "service.approval.requested" | "service.approval.decided" | "service.budget.threshold_reached" | "service.session_hook.before_execute" | "service.session_hook.after_execute")[]
      /** Format of the payload. V1 and V2 exist for trigger messages only. Default V3. */
      version?: "V1" | "V2" | "V3"
      /** Largest number of concurrent deliveries for each server process. An addition of this server. */
      max_at_once?: number
      /** Largest number of deliveries per second over all server processes; null for no limit. An addition of this server. */
      max_per_second?: number | null
      /** Whether deliveries also carry an Ed25519 signature (`v1a` of Standard Webhooks), which the receiver verifies with `public_key`, without a secret. Default false. An addition of this server. */
      asymmetric_signatures?: boolean
    }
    response: WebhookSubscription
  }

  /**
   * Delete a webhook subscription.
   *
   * Deletes a webhook subscription and its pending deliveries.
   *
   * Requires an API key with the permission `webhooks: write`.
   *
   * The example needs a webhook subscription.
   */
  "webhooks.delete": {
    request: {
      /** Id of the webhook subscription, `ws_…`. */
      id: string
    }
    response: {
      /** Always true: a failure returns an error envelope. */
      success: boolean
    }
  }

  /**
   * Delete the project webhook (earlier URL).
   *
   * Deletes the project webhook in the format of earlier versions.
   *
   * Requires an API key with the permission `webhooks: write`.
   *
   * The example needs a project webhook.
   */
  "webhooks.deleteProject": {
    request: Record<string, never>
    response: {
      /** Always true: a failure returns an error envelope. */
      success: boolean
    }
  }

  /**
   * List the deliveries of a webhook subscription.
   *
   * An extension of this server. Returns deliveries to this receiver, newest first, with the result of the last attempt. `GET /events/{event_id}` has every attempt; `POST /events/replay` delivers events again.
   *
   * Requires an API key with the permission `webhooks: read`.
   *
   * The example needs a webhook subscription.
   */
  "webhooks.deliveries": {
    request: {
      /** Id of the webhook subscription, `ws_…`. */
      id: string
      /** Largest number of items on a page. Default 20; values above 1000 count as 1000. */
      limit?: number
      /** `next_cursor` of the previous page. Omit it for the first page. */
      cursor?: string
      /** Only deliveries with this status. `dead` lists the dead letters. */
      status?: "pending" | "delivered" | "dead"
    }
    response: {
      /** Deliveries of this page. */
      items: ({
        /** Id of the delivery. */
        id: string
        /** Id of the event, `evt_…`. */
        event_id: string
        /** Type of the event. */
        event_type: "service.trigger.message" | "service.connected_account.active" | "service.connected_account.failed" | "service.connected_account.deleted" | "service.connected_account.expired" | "service.webhook.disabled" | "service.trigger.disabled" | "service.approval.requested" | "service.approval.decided" | "service.budget.threshold_reached" | "service.session_hook.before_execute" | "service.session_hook.after_execute"
        /** `pending`: it will be sent or repeated. `delivered`: the receiver returned a 2xx status. `dead`: it was given up (a dead letter). */
        status: "pending" | "delivered" | "dead"
        /** Number of attempts so far. */
        attempts: number
        /** When the delivery was queued, or last queued again. */
        created_at: string
        /** When the next attempt is due; null when there is none. */
        next_at: string | null
        /** When the delivery succeeded or was given up; null while it is pending. */
        finished_at: string | null
        /** The last attempt. */
        last_attempt: {
          /** Number of the attempt, from 1. */
          number: number
          /** When the attempt ended. */
          ended_at: string
          /** HTTP status of the receiver; null without a response. */
          status: number | null
          /** Duration in milliseconds. */
          latency_ms: number
          /** Why there was no response; null when there was one. */
          error: string | null
        }
      })[]
      /** Value of `cursor` for the next page; null on the last page. */
      next_cursor: string | null
    }
  }

  /**
   * List event types.
   *
   * Returns the types of events that can be delivered, and the payload versions of each.
   *
   * Requires an API key with the permission `webhooks: read`.
   */
  "webhooks.eventTypes": {
    request: Record<string, never>
    response: {
      /** Types of events. */
      items: ({
        /** Type of the event. */
        event_type: "service.trigger.message" | "service.connected_account.active" | "service.connected_account.failed" | "service.connected_account.deleted" | "service.connected_account.expired" | "service.webhook.disabled" | "service.trigger.disabled" | "service.approval.requested" | "service.approval.decided" | "service.budget.threshold_reached" | "service.session_hook.before_execute" | "service.session_hook.after_execute"
        /** When the event is published. */
        description: string
        /** Payload versions that can express the event. */
        supported_versions: ("V1" | "V2" | "V3")[]
      })[]
    }
  }

  /**
   * List webhook subscriptions, oldest first.
   *
   * Returns a page of the webhook subscriptions of the project, oldest first.
   *
   * Requires an API key with the permission `webhooks: read`.
   */
  "webhooks.list": {
    request: {
      /** Largest number of items on a page. Default 20; values above 1000 count as 1000. */
      limit?: number
      /** `next_cursor` of the previous page. Omit it for the first page. */
      cursor?: string
    }
    response: {
      /** Items of this page. */
      items: WebhookSubscription[]
      /** Value of `cursor` for the next page; null on the last page. */
      next_cursor: string | null
      /** Number of pages at this `limit`. */
      total_pages: number
      /** Number of this page, from 1. */
      current_page: number
      /** Number of items on all pages. */
      total_items: number
    }
  }

  /**
   * Read a webhook subscription.
   *
   * Returns one webhook subscription.
   *
   * Requires an API key with the permission `webhooks: read`.
   *
   * The example needs a webhook subscription.
   */
  "webhooks.read": {
    request: {
      /** Id of the webhook subscription, `ws_…`. */
      id: string
    }
    response: WebhookSubscription
  }

  /**
   * Read the project webhook (earlier URL).
   *
   * Returns the webhook of the project in the format of earlier versions: the oldest subscription with trigger messages.
   *
   * Requires an API key with the permission `webhooks: read`.
   */
  "webhooks.readProject": {
    request: Record<string, never>
    response: {
      /** URL of the webhook; null for none. */
      webhook_url: string | null
      /** URL of the oldest subscription with other events; null for none. */
      event_webhook_url: string | null
      /** Payload version of the webhook; null for none. */
      webhook_version: "V1" | "V2" | "V3" | null
    }
  }

  /**
   * Replace the secret of the project webhook (earlier URL).
   *
   * Creates a new secret for the project webhook in the format of earlier versions. The former secret also signs deliveries for 24 hours.
   *
   * Requires an API key without restrictions.
   *
   * The example needs a project webhook.
   */
  "webhooks.refreshProject": {
    request: Record<string, never>
    response: {
      /** The new secret. */
      webhook_secret: string
    }
  }

  /**
   * Rotate the approval secret of a webhook subscription.
   *
   * Creates a new secret with which the receiver of approval requests signs decisions. The former secret is invalid at once. The secret is shown only here.
   *
   * Requires an API key without restrictions.
   *
   * The example needs a webhook subscription that receives approval requests.
   */
  "webhooks.rotateApprovalSecret": {
    request: {
      /** Id of the webhook subscription, `ws_…`. */
      id: string
    }
    response: {
      /** Id of the webhook subscription, `ws_…`. */
      id: string
      /** The new secret. */
      approval_secret: string
    }
  }

  /**
   * Rotate the secret of a webhook subscription.
   *
   * Creates a new secret for a webhook subscription. Deliveries carry signatures of both secrets for `overlap_hours`, so that receivers can change it without loss.
   *
   * Requires an API key without restrictions.
   *
   * The example needs a webhook subscription.
   */
  "webhooks.rotateSecret": {
    request: {
      /** Id of the webhook subscription, `ws_…`. */
      id: string
      /** Hours for which deliveries carry signatures of both secrets. 0 invalidates the former secret at once. Default 24. An addition of this server. */
      overlap_hours?: number
    }
    response: {
      /** Id of the webhook subscription, `ws_…`. */
      id: string
      /** The new secret. */
      secret: string
      /** Until when the former secret also signs deliveries; null when it no longer does. */
      former_secret_until: string | null
    }
  }

  /**
   * Send a test event.
   *
   * Delivers a test event now and returns the response of the receiver. A successful test enables a disabled subscription.
   *
   * Requires an API key with the permission `webhooks: write`.
   *
   * The example needs a webhook subscription.
   */
  "webhooks.test": {
    request: {
      /** Id of the webhook subscription, `ws_…`. */
      id: string
    }
    response: {
      /** Whether the receiver returned a 2xx status. */
      delivered: boolean
      /** HTTP status of the receiver; null without a response. */
      status: number | null
      /** Duration in milliseconds. */
      latency_ms: number
      /** Reason of the failure; null on success. */
      error: string | null
      /** First 2 KB of the response body; null without a response. */
      answer: string | null
    }
  }

  /**
   * Change a webhook subscription.
   *
   * Changes the fields that the body contains; all others stay as they are. A disabled subscription is enabled again. Pending deliveries use the new URL.
   *
   * Requires an API key with the permission `webhooks: write`.
   *
   * The example needs a webhook subscription.
   */
  "webhooks.update": {
    request: {
      /** Id of the webhook subscription, `ws_…`. */
      id: string
      /** HTTPS URL without credentials. `http` is accepted only for loopback hosts that EGRESS_ALLOW opens. */
      webhook_url?: string
      /** Types of the events that are delivered. */
      enabled_events?: ("service.trigger.message" | "service.connected_account.active" | "service.connected_account.failed" | "service.connected_account.deleted" | "service.connected_account.expired" | "service.webhook.disabled" | "service.trigger.disabled" | "service.approval.requested" | "service.approval.decided" | "service.budget.threshold_reached" | "service.session_hook.before_execute" | "service.session_hook.after_execute")[]
      /** Format of the payload. V1 and V2 exist for trigger messages only. Default V3. */
      version?: "V1" | "V2" | "V3"
      /** Largest number of concurrent deliveries for each server process. An addition of this server. */
      max_at_once?: number
      /** Largest number of deliveries per second over all server processes; null for no limit. An addition of this server. */
      max_per_second?: number | null
      /** Whether deliveries also carry an Ed25519 signature (`v1a` of Standard Webhooks), which the receiver verifies with `public_key`, without a secret. Default false. An addition of this server. */
      asymmetric_signatures?: boolean
    }
    response: WebhookSubscription
  }

  /**
   * Set the project webhook (earlier URL).
   *
   * Sets the URL of the project webhook in the format of earlier versions. Without a webhook, a subscription is created.
   *
   * Requires an API key with the permission `webhooks: write`.
   */
  "webhooks.updateProject": {
    request: {
      /** HTTPS URL without credentials. `http` is accepted only for loopback hosts that EGRESS_ALLOW opens. */
      webhook_url: string
      /** Format of the payload. V1 and V2 exist for trigger messages only. Default V3. */
      webhook_version?: "V1" | "V2" | "V3"
    }
    response: {
      /** URL of the webhook; null for none. */
      webhook_url: string | null
      /** URL of the oldest subscription with other events; null for none. */
      event_webhook_url: string | null
      /** Payload version of the webhook; null for none. */
      webhook_version: "V1" | "V2" | "V3" | null
    }
  }

}
