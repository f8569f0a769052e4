import { notion, trello, telegram, jira, spotify } from './deviation-rows.ts'

/** A place where the published document is out of date and the toolkit follows the vendor's own page. */
export interface Deviation {
  tool: string
  /** As in the message of the test: `operation`, `query since`, `body markdown`, `enum state_reason`. */
  part: string
  reason: string
  page: string
  /** Date of the API version that the page describes. */
  dated: string
  /**
   * For a missing operation: all parameters that the page names, so that the tool is held to those; `*` marks
   * the required ones.
   */
  takes?: string[]
}

const DUPLICATE = 'Issues can be closed as duplicates since 2025; the document is older.'
const SENDING = ['body message_thread_id', 'body protect_content', 'body reply_parameters']
const PAGE_PARTS = ['properties', 'icon', 'cover']

export const DEVIATIONS: Deviation[] = [
  {
    tool: 'GITHUB_UPDATE_AN_ISSUE',
    part: 'enum state_reason',
    reason: DUPLICATE,
    page: 'https://docs.github.com/en/rest/issues/issues#update-an-issue',
    dated: '2026-03-10',
  },
  {
    tool: 'GOOGLECALENDAR_LIST_EVENTS',
    part: 'enum eventTypes',
    reason: 'Birthdays and events from Gmail have kinds of their own since 2024; the document is older.',
    page: 'https://developers.google.com/workspace/calendar/api/v3/reference/events/list',
    dated: '2026-11-21',
  },
  {
    tool: 'GOOGLEDRIVE_UPLOAD_FILE',
    part: 'operation',
    reason: 'The document has no addresses of uploads; the page of uploads has.',
    page: 'https://developers.google.com/workspace/drive/api/guides/manage-uploads#multipart',
    dated: '2026-11-21',
    takes: ['uploadType*', 'supportsAllDrives', 'fields', 'metadata', 'file'],
  },
  {
    tool: 'GOOGLEDRIVE_WRITE_FILE_CONTENT',
    part: 'operation',
    reason: 'The document names only the address that takes metadata, not the one that takes content.',
    page: 'https://developers.google.com/workspace/drive/api/guides/manage-uploads#simple',
    dated: '2026-11-21',
    takes: ['uploadType*', 'supportsAllDrives', 'fields'],
  },
  {
    tool: 'GOOGLESHEETS_FIND_SPREADSHEETS',
    part: 'operation',
    reason: 'Spreadsheets are found with the API of Google Drive, which has a document of its own.',
    page: 'https://developers.google.com/workspace/drive/api/reference/rest/v3/files/list',
    dated: '2026-11-21',
    takes: [
      'q',
      'pageSize',
      'pageToken',
      'orderBy',
      'includeItemsFromAllDrives',
      'supportsAllDrives',
      'fields',
      'corpora',
      'driveId',
      'spaces',
      'includeLabels',
    ],
  },
  ...trello('TRELLO_SEARCH', 'api-group-search/#api-search-get', 'required idOrganizations'),
  ...trello('TRELLO_CREATE_BOARD', 'api-group-boards/#api-boards-post', 'body defaultLists'),
  ...trello('TRELLO_CREATE_CARD', 'api-group-cards/#api-cards-post', 'body start', 'body dueComplete'),
  ...trello('TRELLO_UPDATE_CARD', 'api-group-cards/#api-cards-id-put', 'body start', 'body dueComplete'),
  ...trello('TRELLO_UPDATE_CHECKLIST_ITEM', 'api-group-cards/#api-cards-id-checkitem-idcheckitem-put', [
    'name',
    'state',
    'idChecklist',
    'pos',
    'due',
    'dueReminder',
    'idMember',
  ]),
  {
    tool: 'GOOGLEDOCS_FIND_DOCUMENTS',
    part: 'operation',
    reason: 'Documents are found with the API of Google Drive, which has a document of its own.',
    page: 'https://developers.google.com/workspace/drive/api/reference/rest/v3/files/list',
    dated: '2026-11-21',
    takes: [
      'q',
      'pageSize',
      'pageToken',
      'orderBy',
      'includeItemsFromAllDrives',
      'supportsAllDrives',
      'fields',
      'corpora',
      'driveId',
      'spaces',
      'includeLabels',
    ],
  },
  {
    tool: 'GOOGLEDOCS_COPY_DOCUMENT',
    part: 'operation',
    reason: 'Documents are copied with the API of Google Drive, which has a document of its own.',
    page: 'https://developers.google.com/workspace/drive/api/reference/rest/v3/files/copy',
    dated: '2026-11-21',
    takes: ['supportsAllDrives', 'fields', 'name', 'parents', 'description', 'mimeType'],
  },
  {
    tool: 'GOOGLEDOCS_GET_DOCUMENT',
    part: 'query includeTabsContent',
    reason: 'Documents have tabs since 2024; the document is older.',
    page: 'https://developers.google.com/workspace/docs/api/reference/rest/v1/documents/get',
    dated: '2026-11-21',
  },
  ...telegram('TELEGRAM_SEND_MESSAGE', 'sendmessage', ...SENDING, 'body link_preview_options'),
  ...telegram('TELEGRAM_SEND_PHOTO', 'sendphoto', ...SENDING, 'body has_spoiler'),
  ...telegram('TELEGRAM_SEND_DOCUMENT', 'senddocument', ...SENDING),
  ...telegram('TELEGRAM_SEND_FILE', 'senddocument', 'body message_thread_id'),
  ...telegram('TELEGRAM_SEND_LOCATION', 'sendlocation', ...SENDING),
  ...telegram('TELEGRAM_SEND_POLL', 'sendpoll', ...SENDING),
  ...telegram('TELEGRAM_SET_MESSAGE_REACTION', 'setmessagereaction', [
    'chat_id*',
    'message_id*',
    'reaction',
    'is_big',
  ]),
  ...telegram('TELEGRAM_GET_CHAT_MEMBER_COUNT', 'getchatmembercount', ['chat_id*']),
  ...telegram('TELEGRAM_BAN_CHAT_MEMBER', 'banchatmember', [
    'chat_id*',
    'user_id*',
    'until_date',
    'revoke_messages',
  ]),
  ...telegram('TELEGRAM_CREATE_CHAT_INVITE_LINK', 'createchatinvitelink', [
    'chat_id*',
    'name',
    'expire_date',
    'member_limit',
    'creates_join_request',
  ]),
  ...telegram('TELEGRAM_SET_MY_COMMANDS', 'setmycommands', 'body language_code'),
  ...telegram('TELEGRAM_DOWNLOAD_FILE', 'getfile', []),
  ...jira('JIRA_SEARCH_ISSUES', 'api-group-issue-search/#api-rest-api-2-search-jql-post', [
    'jql',
    'fields',
    'fieldsByKeys',
    'expand',
    'properties',
    'maxResults',
    'nextPageToken',
    'reconcileIssues',
  ]),
  ...jira(
    'JIRA_LIST_ISSUE_TYPES',
    'api-group-issues/#api-rest-api-2-issue-createmeta-projectidorkey-issuetypes-get',
    ['startAt', 'maxResults'],
  ),
  ...jira(
    'JIRA_GET_ISSUE_FIELDS',
    'api-group-issues/#api-rest-api-2-issue-createmeta-projectidorkey-issuetypes-issuetypeid-get',
    ['startAt', 'maxResults'],
  ),
  ...notion('NOTION_SEARCH', 'post-search', ['query', 'filter', 'sort', 'start_cursor', 'page_size']),
  ...notion('NOTION_GET_PAGE', 'retrieve-a-page', 'query filter_properties'),
  ...notion('NOTION_GET_PAGE_MARKDOWN', 'retrieve-page-markdown', ['include_transcript']),
  ...notion('NOTION_CREATE_PAGE', 'post-page', [
    'parent',
    ...PAGE_PARTS,
    'children',
    'content',
    'markdown',
    'template',
    'position',
  ]),
  ...notion('NOTION_UPDATE_PAGE', 'patch-page', 'body icon', 'body cover', 'body is_locked', 'body in_trash'),
  ...notion('NOTION_EDIT_PAGE_CONTENT', 'update-page-markdown', [
    'type*',
    'update_content',
    'replace_content',
    'insert_content',
    'replace_content_range',
  ]),
  ...notion('NOTION_APPEND_BLOCKS', 'patch-block-children', 'body position'),
  ...notion('NOTION_LIST_BLOCK_CHILDREN', 'get-block-children', 'query start_cursor'),
  ...notion('NOTION_GET_DATA_SOURCE', 'retrieve-a-data-source', []),
  ...notion('NOTION_QUERY_DATA_SOURCE', 'query-a-data-source', [
    'filter_properties',
    'filter',
    'sorts',
    'start_cursor',
    'page_size',
    'in_trash',
    'result_type',
  ]),
  ...notion('NOTION_CREATE_COMMENT', 'create-a-comment', [
    'parent',
    'discussion_id',
    'rich_text',
    'markdown',
    'attachments',
    'display_name',
  ]),
  ...notion('NOTION_LIST_COMMENTS', 'list-comments', 'query start_cursor'),
  ...notion('NOTION_LIST_USERS', 'get-users', ['start_cursor', 'page_size']),
  ...['required subject', 'required content'].map((part) => ({
    tool: 'SENDGRID_SEND_TEMPLATE_EMAIL',
    part,
    reason: 'A template brings both.',
    page: 'https://www.twilio.com/docs/sendgrid/ui/sending-email/how-to-send-an-email-with-dynamic-templates',
    dated: '2026-05-13',
  })),
  ...spotify('SPOTIFY_SAVE_TO_LIBRARY', 'save-library-items', ['uris*']),
  ...spotify('SPOTIFY_REMOVE_FROM_LIBRARY', 'remove-library-items', ['uris*']),
  ...spotify('SPOTIFY_CHECK_LIBRARY', 'check-library-contains', ['uris*']),
  ...spotify('SPOTIFY_CREATE_PLAYLIST', 'create-playlist', [
    'name*',
    'public',
    'collaborative',
    'description',
  ]),
  ...spotify('SPOTIFY_LIST_PLAYLIST_ITEMS', 'get-playlists-items', [
    'market',
    'fields',
    'limit',
    'offset',
    'additional_types',
  ]),
  ...spotify('SPOTIFY_ADD_PLAYLIST_ITEMS', 'add-items-to-playlist', ['uris', 'position']),
  ...spotify('SPOTIFY_REMOVE_PLAYLIST_ITEMS', 'remove-items-playlist', ['items*', 'snapshot_id']),
  ...spotify('SPOTIFY_REORDER_PLAYLIST_ITEMS', 'reorder-or-replace-playlists-items', [
    'uris',
    'range_start',
    'insert_before',
    'range_length',
    'snapshot_id',
  ]),
]
