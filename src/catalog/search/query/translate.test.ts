import assert from 'node:assert/strict'
import { test } from 'node:test'
import { translate } from './translate.ts'

test('translation: requests in other languages become English words, and names stay', () => {
  for (const [text, language, english] of [
    ['Erstelle eine Rechnung für den Kunden', 'de', 'create invoice customer'],
    ['Supprime le dossier de Dropbox', 'fr', 'delete folder Dropbox'],
    ['Busca los correos sin leer', 'es', 'search email unread'],
    ['Procure a planilha no Google Drive', 'pt', 'search spreadsheet Google Drive'],
    ['Elimina la scheda di Trello', 'it', 'delete card Trello'],
  ] as const) {
    assert.deepEqual(translate(text), { language, english }, text)
  }
  for (const [text, language, english] of [
    ['Slackにメッセージを送信', 'ja', 'Slack message send'],
    ['用Gmail发送邮件', 'zh', 'Gmail send email'],
  ] as const) {
    const translation = translate(text)
    assert.deepEqual(
      [translation.language, translation.english.trim().split(/\s+/).join(' ')],
      [language, english],
      text,
    )
  }
})

test('translation: English stays as it is, also with words that other languages have', () => {
  for (const text of [
    'send a message to the channel',
    'list open PRs',
    'pause the song and play a video',
    'post a comment on the card',
    'archive the page',
    'current time in a time zone',
    'create an event for the team in Paris',
    '',
  ])
    assert.deepEqual(translate(text), { language: undefined, english: text }, text)
})
