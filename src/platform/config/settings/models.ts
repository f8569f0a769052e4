import { headerNames, matching, optional, publicUrl, wholeNumber } from '../rules.ts'
import type { SomeSettings } from './setting.ts'

/** Settings of the language model and the embeddings of the tool search. */
export const modelsSettings = {
  llmBaseUrl: {
    name: 'LLM_BASE_URL',
    rule: optional(publicUrl),
    default: '',
    defaultMeans: 'no language model',
    example: 'https://api.openai.com/v1',
    description:
      'The URL of an OpenAI-compatible API, with its version. The model generates tool arguments from ' +
      'text (`text` of an execution). It may have a private IP address, such as a model on your machine.',
  },
  llmModel: {
    name: 'LLM_MODEL',
    rule: optional(matching(/^[\x21-\x7e]{1,200}$/, '1 to 200 printable characters without spaces')),
    default: '',
    defaultMeans: 'required with LLM_BASE_URL',
    example: 'gpt-5-mini',
    description: 'The name of the language model.',
  },
  llmApiKey: {
    name: 'LLM_API_KEY',
    rule: optional(matching(/^[\x21-\x7e]{1,1000}$/, '1 to 1000 printable characters without spaces')),
    default: '',
    defaultMeans: 'no key is sent',
    example: 'sk-…',
    secret: true,
    description: 'The API key for LLM_BASE_URL.',
  },
  llmGatewayHeaders: {
    name: 'LLM_GATEWAY_HEADERS',
    rule: headerNames,
    default:
      'x-request-id,x-trace-id,traceparent,tracestate,baggage,x-portkey-metadata,x-portkey-trace-id,' +
      'helicone-user-id,helicone-session-*,helicone-property-*,cf-aig-metadata,langfuse-*',
    description:
      'The headers that callers may send to LLM_BASE_URL with `x-llm-gateway-headers`; `*` at the end matches any ' +
      'rest. List only headers that do not choose a provider, a route or a key: requests have your LLM_API_KEY.',
  },
  embeddingsBaseUrl: {
    name: 'EMBEDDINGS_BASE_URL',
    rule: optional(publicUrl),
    default: '',
    defaultMeans: 'tools are searched by words only',
    example: 'https://api.openai.com/v1',
    description:
      'The URL of an OpenAI-compatible API, with its version, for the tool search. It receives names and ' +
      'descriptions of tools once, and the text of every search. It may have a private IP address. See ' +
      'docs/guides/tool-search.md.',
  },
  embeddingsModel: {
    name: 'EMBEDDINGS_MODEL',
    rule: optional(matching(/^[\x21-\x7e]{1,200}$/, '1 to 200 printable characters without spaces')),
    default: '',
    defaultMeans: 'required with EMBEDDINGS_BASE_URL',
    example: 'text-embedding-3-small',
    description: 'The name of the embedding model. Vectors of another model are made again.',
  },
  embeddingsApiKey: {
    name: 'EMBEDDINGS_API_KEY',
    rule: optional(matching(/^[\x21-\x7e]{1,1000}$/, '1 to 1000 printable characters without spaces')),
    default: '',
    defaultMeans: 'no key is sent',
    example: 'sk-…',
    secret: true,
    description: 'The API key for EMBEDDINGS_BASE_URL.',
  },
  embeddingsDimensions: {
    name: 'EMBEDDINGS_DIMENSIONS',
    rule: optional(wholeNumber(8, 1024)),
    default: '',
    defaultMeans: 'as many as the model returns; the first 1024 are used',
    example: '512',
    description:
      'The number of dimensions to ask for, if the model can return fewer. A tool takes about 0.6 bytes of memory ' +
      'for each dimension.',
  },
} satisfies SomeSettings
