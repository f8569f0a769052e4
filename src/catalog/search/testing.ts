import type { SearchDocument, SearchToolkit } from './document.ts'

export const sampleDocument = (
  slug: string,
  name: string,
  description = '',
  more: Partial<SearchDocument> = {},
): SearchDocument => ({
  slug,
  name,
  otherNames: '',
  description,
  tags: [],
  parameters: [],
  path: undefined,
  effect: undefined,
  ...more,
})

/** A toolkit whose tools are given as `[slug, name, description]`. */
export const sampleSearchToolkit = (
  slug: string,
  name: string,
  tools: readonly (readonly [slug: string, name: string, description?: string])[],
  hosts: readonly string[] = [],
): SearchToolkit => ({
  slug,
  name,
  description: '',
  hosts,
  tools: tools.map(([tool, title, description]) => sampleDocument(tool, title, description)),
})

export const MAIL = sampleSearchToolkit('mailbird', 'Mailbird', [
  ['MAIL_SEND', 'Send email', 'Sends a message to recipients.'],
  ['MAIL_FETCH', 'Fetch emails', 'Lists messages of the mailbox.'],
  ['MAIL_DELETE', 'Delete email', 'Removes a message for ever.'],
])
export const CHAT = sampleSearchToolkit('chatter', 'Chatter', [
  ['CHAT_POST', 'Post message', 'Sends a message to a channel.'],
  ['CHAT_ARCHIVE', 'Archive channel', 'Closes a channel and keeps its history.'],
  ['CHAT_LIST', 'List channels', 'Lists the channels of a workspace.'],
])
export const CODE = sampleSearchToolkit('code_hub', 'Code Hub API', [
  ['CODE_CREATE_ISSUE', 'Create issue', 'Opens an issue in a repository.'],
  ['CODE_LIST_ISSUES', 'List issues', 'Lists issues of a repository.'],
  ['CODE_MERGE', 'Merge pull request', 'Merges a pull request.'],
])
