import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Ran, createFixture } from './fixture.ts'

const { world, run } = await createFixture()
type Args = Record<string, unknown>
/** A tool with its arguments; `$id` stands for what was made, `$text` for the same as text. */
type Call = readonly [tool: string, args: Args]

interface Story {
  create: Call
  /** The place of the identifier in the response. */
  id: string
  list?: Call
  get?: Call
  /** What the object must show, in the list and when it is asked for. */
  shows: string
  update?: Call
  /** What it shows after the change. */
  changed?: string
  delete?: Call
}

const REPO = { owner: 'octocat', repo: 'hello-world' }
const STORIES: Readonly<Record<string, Story>> = {
  github: {
    create: ['GITHUB_CREATE_AN_ISSUE', { ...REPO, title: 'It rains in', labels: ['bug'] }],
    id: 'number',
    shows: 'It rains in',
    list: ['GITHUB_LIST_REPOSITORY_ISSUES', REPO],
    get: ['GITHUB_GET_AN_ISSUE', { ...REPO, issue_number: '$id' }],
    update: ['GITHUB_UPDATE_AN_ISSUE', { ...REPO, issue_number: '$id', title: 'It is dry again' }],
    changed: 'It is dry again',
  },
  airtable: {
    create: [
      'AIRTABLE_CREATE_RECORDS',
      { base_id: 'app1', table: 'tbl1', records: [{ fields: { Name: 'Zuse' } }] },
    ],
    id: 'records.0.id',
    shows: 'Zuse',
    list: ['AIRTABLE_LIST_RECORDS', { base_id: 'app1', table: 'tbl1' }],
    get: ['AIRTABLE_GET_RECORD', { base_id: 'app1', table: 'tbl1', record_id: '$id' }],
    update: [
      'AIRTABLE_UPDATE_RECORDS',
      { base_id: 'app1', table: 'tbl1', records: [{ id: '$id', fields: { Name: 'Konrad' } }] },
    ],
    changed: 'Konrad',
    delete: ['AIRTABLE_DELETE_RECORDS', { base_id: 'app1', table: 'tbl1', record_ids: ['$id'] }],
  },
  googlesheets: {
    create: [
      'GOOGLESHEETS_UPDATE_VALUES',
      { spreadsheet_id: 's1', range: 'Sheet1!A1:B1', values: [['Ada', 36]] },
    ],
    id: 'updatedRange',
    shows: 'Ada',
    get: ['GOOGLESHEETS_GET_VALUES', { spreadsheet_id: 's1', range: '$id' }],
    update: ['GOOGLESHEETS_UPDATE_VALUES', { spreadsheet_id: 's1', range: '$id', values: [['Eve', 37]] }],
    changed: 'Eve',
  },
  gitlab: {
    create: ['GITLAB_CREATE_ISSUE', { project_id: 'a/b', title: 'Red build' }],
    id: 'iid',
    shows: 'Red build',
    list: ['GITLAB_LIST_ISSUES', { project_id: 'a/b' }],
    get: ['GITLAB_GET_ISSUE', { project_id: 'a/b', issue_iid: '$id' }],
    update: ['GITLAB_UPDATE_ISSUE', { project_id: 'a/b', issue_iid: '$id', title: 'Green build' }],
    changed: 'Green build',
  },
  asana: {
    create: ['ASANA_CREATE_TASK', { name: 'Water the plants', workspace: '1' }],
    id: 'gid',
    shows: 'Water the plants',
    list: ['ASANA_LIST_TASKS', { assignee: 'me', workspace: '1' }],
    get: ['ASANA_GET_TASK', { task_gid: '$id' }],
    update: ['ASANA_UPDATE_TASK', { task_gid: '$id', name: 'Repot the plants' }],
    changed: 'Repot the plants',
    delete: ['ASANA_DELETE_TASK', { task_gid: '$id' }],
  },
  clickup: {
    create: ['CLICKUP_CREATE_TASK', { list_id: '9', name: 'Call Bob' }],
    id: 'id',
    shows: 'Call Bob',
    list: ['CLICKUP_LIST_TASKS', { list_id: '9' }],
    get: ['CLICKUP_GET_TASK', { task_id: '$id' }],
    update: ['CLICKUP_UPDATE_TASK', { task_id: '$id', name: 'Call Eve' }],
    changed: 'Call Eve',
    delete: ['CLICKUP_DELETE_TASK', { task_id: '$id' }],
  },
  confluence: {
    create: ['CONFLUENCE_CREATE_PAGE', { space_id: '7', title: 'Minutes', body: '<p>x</p>' }],
    id: 'id',
    shows: 'Minutes',
    list: ['CONFLUENCE_LIST_PAGES', {}],
    get: ['CONFLUENCE_GET_PAGE', { page_id: '$id' }],
    delete: ['CONFLUENCE_DELETE_PAGE', { page_id: '$id' }],
  },
  discord: {
    create: ['DISCORD_SEND_MESSAGE', { channel_id: '41771983423143937', content: 'Good morning' }],
    id: 'id',
    shows: 'Good morning',
    list: ['DISCORD_LIST_MESSAGES', { channel_id: '41771983423143937' }],
    get: ['DISCORD_GET_MESSAGE', { channel_id: '41771983423143937', message_id: '$id' }],
    update: [
      'DISCORD_UPDATE_MESSAGE',
      { channel_id: '41771983423143937', message_id: '$id', content: 'Good night' },
    ],
    changed: 'Good night',
    delete: ['DISCORD_DELETE_MESSAGE', { channel_id: '41771983423143937', message_id: '$id' }],
  },
  dropbox: {
    create: ['DROPBOX_UPLOAD_FILE', { path: '/Notes/plan.txt', file: { content: 'Plan.' } }],
    id: 'path_display',
    shows: '/Notes/plan.txt',
    list: ['DROPBOX_LIST_FOLDER', { path: '/Notes' }],
    get: ['DROPBOX_GET_METADATA', { path: '$id' }],
    delete: ['DROPBOX_DELETE', { path: '$id' }],
  },
  googlecalendar: {
    create: [
      'GOOGLECALENDAR_CREATE_EVENT',
      { summary: 'Dentist', start_datetime: '2026-01-06T09:00:00', end_datetime: '2026-01-06T10:00:00' },
    ],
    id: 'id',
    shows: 'Dentist',
    list: ['GOOGLECALENDAR_LIST_EVENTS', {}],
    get: ['GOOGLECALENDAR_GET_EVENT', { event_id: '$id' }],
    update: ['GOOGLECALENDAR_UPDATE_EVENT', { event_id: '$id', summary: 'Barber' }],
    changed: 'Barber',
    delete: ['GOOGLECALENDAR_DELETE_EVENT', { event_id: '$id' }],
  },
  hubspot: {
    create: ['HUBSPOT_CREATE_CONTACT', { properties: { email: 'eve@example.com' } }],
    id: 'id',
    shows: 'eve@example.com',
    list: ['HUBSPOT_SEARCH_CONTACTS', {}],
    get: ['HUBSPOT_GET_CONTACT', { contactId: '$id' }],
    update: ['HUBSPOT_UPDATE_CONTACT', { contactId: '$id', properties: { email: 'eva@example.com' } }],
    changed: 'eva@example.com',
    delete: ['HUBSPOT_DELETE_RECORD', { objectType: 'contacts', objectId: '$id' }],
  },
  intercom: {
    create: ['INTERCOM_CREATE_CONTACT', { email: 'eve@example.com' }],
    id: 'id',
    shows: 'eve@example.com',
    get: ['INTERCOM_GET_CONTACT', { contact_id: '$id' }],
    update: ['INTERCOM_UPDATE_CONTACT', { contact_id: '$id', email: 'eva@example.com' }],
    changed: 'eva@example.com',
    delete: ['INTERCOM_DELETE_CONTACT', { contact_id: '$id' }],
  },
  jira: {
    create: ['JIRA_CREATE_ISSUE', { project_key: 'ENG', issue_type: 'Task', summary: 'Repair the door' }],
    id: 'key',
    shows: 'Repair the door',
    list: ['JIRA_SEARCH_ISSUES', { jql: 'text ~ "door"' }],
    get: ['JIRA_GET_ISSUE', { issue_key: '$id' }],
    update: ['JIRA_UPDATE_ISSUE', { issue_key: '$id', summary: 'Paint the door' }],
    changed: 'Paint the door',
    delete: ['JIRA_DELETE_ISSUE', { issue_key: '$id' }],
  },
  linear: {
    create: ['LINEAR_CREATE_ISSUE', { team_id: 't', title: 'Slow page' }],
    id: 'issue.id',
    shows: 'Slow page',
    list: ['LINEAR_LIST_ISSUES', {}],
    get: ['LINEAR_GET_ISSUE', { issue_id: '$id' }],
    update: ['LINEAR_UPDATE_ISSUE', { issue_id: '$id', title: 'Fast page' }],
    changed: 'Fast page',
    delete: ['LINEAR_DELETE_ISSUE', { issue_id: '$id' }],
  },
  outlook: {
    create: [
      'OUTLOOK_CREATE_EVENT',
      {
        subject: 'Review',
        start: { dateTime: '2026-01-06T09:00:00', timeZone: 'UTC' },
        end: { dateTime: '2026-01-06T10:00:00', timeZone: 'UTC' },
      },
    ],
    id: 'id',
    shows: 'Review',
    list: ['OUTLOOK_FIND_EVENTS', {}],
    get: ['OUTLOOK_GET_EVENT', { event_id: '$id' }],
    update: ['OUTLOOK_UPDATE_EVENT', { event_id: '$id', subject: 'Retro' }],
    changed: 'Retro',
    delete: ['OUTLOOK_DELETE_EVENT', { event_id: '$id' }],
  },
  parse: {
    create: ['PARSE_CREATE_OBJECT', { class_name: 'GameScore', data: { player: 'Zoe' } }],
    id: 'objectId',
    shows: 'objectId',
    list: ['PARSE_QUERY_OBJECTS', { class_name: 'GameScore' }],
    get: ['PARSE_GET_OBJECT', { class_name: 'GameScore', object_id: '$id' }],
    delete: ['PARSE_DELETE_OBJECT', { class_name: 'GameScore', object_id: '$id' }],
  },
  salesforce: {
    create: ['SALESFORCE_CREATE_CONTACT', { LastName: 'Zuse' }],
    id: 'id',
    shows: 'Id',
    get: ['SALESFORCE_GET_RECORD', { object: 'Contact', id: '$id' }],
    delete: ['SALESFORCE_DELETE_RECORD', { object: 'Contact', id: '$id' }],
  },
  sendgrid: {
    create: ['SENDGRID_CREATE_LIST', { name: 'Readers' }],
    id: 'id',
    shows: 'Readers',
    list: ['SENDGRID_LIST_LISTS', {}],
    delete: ['SENDGRID_DELETE_LIST', { list_id: '$id' }],
  },
  shopify: {
    create: ['SHOPIFY_CREATE_PRODUCT', { title: 'Blue cup' }],
    id: 'product.id',
    shows: 'Blue cup',
    list: ['SHOPIFY_LIST_PRODUCTS', {}],
    get: ['SHOPIFY_GET_PRODUCT', { id: '$id' }],
    update: ['SHOPIFY_UPDATE_PRODUCT', { id: '$id', title: 'Red cup' }],
    changed: 'Red cup',
    delete: ['SHOPIFY_DELETE_PRODUCT', { id: '$id' }],
  },
  slack: {
    create: ['SLACK_SEND_MESSAGE', { channel: 'C024BE91L', text: 'Lunch?' }],
    id: 'ts',
    shows: 'Lunch?',
    list: ['SLACK_GET_CHANNEL_HISTORY', { channel: 'C024BE91L' }],
    update: ['SLACK_UPDATE_MESSAGE', { channel: 'C024BE91L', ts: '$id', text: 'Dinner?' }],
    changed: 'Dinner?',
    delete: ['SLACK_DELETE_MESSAGE', { channel: 'C024BE91L', ts: '$id' }],
  },
  spotify: {
    create: ['SPOTIFY_CREATE_PLAYLIST', { name: 'Rain' }],
    id: 'id',
    shows: 'Rain',
    list: ['SPOTIFY_LIST_PLAYLISTS', {}],
    get: ['SPOTIFY_GET_PLAYLIST', { playlist_id: '$id' }],
    update: ['SPOTIFY_UPDATE_PLAYLIST', { playlist_id: '$id', name: 'Sun' }],
    changed: 'Sun',
  },
  stripe: {
    create: ['STRIPE_CREATE_CUSTOMER', { email: 'eve@example.com' }],
    id: 'id',
    shows: 'eve@example.com',
    list: ['STRIPE_LIST_CUSTOMERS', {}],
    get: ['STRIPE_GET_CUSTOMER', { customer: '$id' }],
    update: ['STRIPE_UPDATE_CUSTOMER', { customer: '$id', email: 'eva@example.com' }],
    changed: 'eva@example.com',
    delete: ['STRIPE_DELETE_CUSTOMER', { customer: '$id' }],
  },
  telegram: {
    create: ['TELEGRAM_SEND_MESSAGE', { chat_id: '1', text: 'Hi' }],
    id: 'message_id',
    shows: 'Hi',
    update: ['TELEGRAM_EDIT_MESSAGE_TEXT', { chat_id: '1', message_id: '$id', text: 'Ho' }],
    changed: 'Ho',
    delete: ['TELEGRAM_DELETE_MESSAGE', { chat_id: '1', message_id: '$id' }],
  },
  trello: {
    create: ['TRELLO_CREATE_CARD', { idList: '5abbe4b7ddc1b351ef961414', name: 'Bread' }],
    id: 'id',
    shows: 'Bread',
    list: ['TRELLO_LIST_CARDS', { idList: '5abbe4b7ddc1b351ef961414' }],
    get: ['TRELLO_GET_CARD', { idCard: '$id' }],
    update: ['TRELLO_UPDATE_CARD', { idCard: '$id', name: 'Butter' }],
    changed: 'Butter',
    delete: ['TRELLO_DELETE_CARD', { idCard: '$id' }],
  },
  twilio: {
    create: ['TWILIO_SEND_MESSAGE', { to: '+14155550123', from: '+14155550100', body: 'Your order' }],
    id: 'sid',
    shows: 'Your order',
    list: ['TWILIO_LIST_MESSAGES', {}],
    get: ['TWILIO_GET_MESSAGE', { message_sid: '$id' }],
    delete: ['TWILIO_DELETE_MESSAGE', { message_sid: '$id' }],
  },
  youtube: {
    create: ['YOUTUBE_CREATE_PLAYLIST', { title: 'Trains' }],
    id: 'id',
    shows: 'Trains',
    list: ['YOUTUBE_LIST_MY_PLAYLISTS', {}],
    update: ['YOUTUBE_UPDATE_PLAYLIST', { playlist_id: '$id', title: 'Planes', privacy_status: 'private' }],
    changed: 'Planes',
    delete: ['YOUTUBE_DELETE_PLAYLIST', { playlist_id: '$id' }],
  },
  zendesk: {
    create: ['ZENDESK_CREATE_TICKET', { subject: 'No light', comment: 'It is dark.' }],
    id: 'id',
    shows: 'No light',
    list: ['ZENDESK_LIST_TICKETS', {}],
    get: ['ZENDESK_GET_TICKET', { ticket_id: '$id' }],
    update: ['ZENDESK_UPDATE_TICKET', { ticket_id: '$id', subject: 'Light!' }],
    changed: 'Light!',
    delete: ['ZENDESK_DELETE_TICKET', { ticket_id: '$id' }],
  },
  zoom: {
    create: ['ZOOM_CREATE_MEETING', { topic: 'Standup', type: 2 }],
    id: 'id',
    shows: 'Standup',
    list: ['ZOOM_LIST_MEETINGS', {}],
    get: ['ZOOM_GET_MEETING', { meeting_id: '$text' }],
    update: ['ZOOM_UPDATE_MEETING', { meeting_id: '$text', topic: 'Sitdown' }],
    changed: 'Sitdown',
    delete: ['ZOOM_DELETE_MEETING', { meeting_id: '$text' }],
  },
}

const at = (value: unknown, path: string): unknown =>
  path.split('.').reduce<any>((one, name) => one?.[name], value)

for (const [toolkit, story] of Object.entries(STORIES)) {
  test(`${toolkit}: what is made is listed and shown, changed, and gone when it was deleted`, async () => {
    world.reset()
    let id: unknown
    const call = ([tool, args]: Call): Promise<Ran> =>
      run(
        tool,
        JSON.parse(JSON.stringify(args), (_, value: unknown) =>
          value === '$id' ? id : value === '$text' ? String(id) : value,
        ) as Args,
      )
    const dataOf = async (request: Call) => {
      const { successful, error, data } = await call(request)
      assert.ok(successful, `${request[0]}: ${error}`)
      return data
    }
    const before = story.list && JSON.stringify(await dataOf(story.list))
    id = at(await dataOf(story.create), story.id)
    assert.ok(id !== undefined && id !== null, `${story.create[0]} answers ${story.id}`)
    const seen = async (text: string) => {
      if (story.list)
        assert.ok(JSON.stringify(await dataOf(story.list)).includes(text), `${story.list[0]} shows ${text}`)
      if (story.get)
        assert.ok(JSON.stringify(await dataOf(story.get)).includes(text), `${story.get[0]} shows ${text}`)
    }
    await seen(story.shows)
    if (story.update) await dataOf(story.update)
    if (story.changed) await seen(story.changed)
    if (!story.delete) return
    await dataOf(story.delete)
    if (story.list)
      assert.equal(
        JSON.stringify(await dataOf(story.list)).length,
        before?.length,
        `${story.list[0]} is as it was before`,
      )
    const again = await call(story.get ?? story.delete)
    assert.deepEqual(
      [again.successful, /^404|not.?found|There is no/i.test(again.error ?? '')],
      [false, true],
      `${toolkit} says in its own words that it is gone: ${again.error}`,
    )
  })
}
