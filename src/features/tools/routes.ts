import { LATEST_VERSION } from '../../catalog/index.ts'
import * as contract from '../../contract/tools/index.ts'
import type { ExecuteProxy, GenerateArguments } from '../../engine/index.ts'
import type { Api } from '../../platform/http/call.ts'
import { readGatewayHeaders, toProxyCall } from './call-request.ts'
import { presentProxyResponse } from './proxied-request.ts'
import { type ExecuteToolDeps, executeToolRequest } from './execute-tool.ts'
import { laterPage } from './response-shaping/response-pages.ts'
import { listTools, readTool, requiredScopes, type ToolCatalogDeps } from './service.ts'

export interface ToolDeps extends ToolCatalogDeps, ExecuteToolDeps {
  executeProxy: ExecuteProxy
  generateArguments: GenerateArguments
}

export function toolRoutes(api: Api, deps: ToolDeps): void {
  api.on(contract.listTools, (call) => listTools(deps, call))
  api.on(contract.listToolSlugs, async ({ projectId }) =>
    [...(await deps.catalogOf(projectId)).tools].map(({ slug }) => slug),
  )
  api.on(contract.readTool, (call) => readTool(deps, call))
  api.on(contract.requiredScopes, (call) => requiredScopes(deps, call))
  api.on(contract.executeTool, (call) => executeToolRequest(deps, call))
  api.on(contract.readResponsePage, async ({ projectId, params, query }) =>
    laterPage(deps, projectId, params.response_id, query.page ?? 2),
  )
  api.on(contract.toolInput, ({ projectId, params, body, signal, header }) =>
    deps.generateArguments(
      { projectId, toolSlug: params.tool_slug, version: body.version ?? LATEST_VERSION, signal },
      {
        text: body.text,
        description: body.custom_description,
        systemPrompt: body.system_prompt,
        headers: readGatewayHeaders(header('x-llm-gateway-headers'), deps.gatewayHeaders),
      },
    ),
  )
  api.on(contract.proxyExecute, async (call) =>
    presentProxyResponse(await deps.executeProxy(toProxyCall(call))),
  )
}
