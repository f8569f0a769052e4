import assert from 'node:assert/strict'
import { test } from 'node:test'
import { translate } from './translate.ts'

test('translation: requests in other languages become English words, and names, prepositions and `a` stay', () => {
  for (const [text, language, english] of [
    ['Erstelle eine Rechnung für den Kunden', 'de', 'create a invoice in customer'],
    ['Supprime le dossier de Dropbox', 'fr', 'delete folder of Dropbox'],
    ['Busca los correos sin leer', 'es', 'search email unread'],
    ['Procure a planilha no Google Drive', 'pt', 'search spreadsheet in Google Drive'],
    ['Elimina la scheda di Trello', 'it', 'delete card of Trello'],
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

test('translation: an idiom may have words between its words, which are translated as well', () => {
  for (const [text, english] of [
    ['Passe le ticket en terminé', 'change status ticket complete'],
    ['Donne à la comptable le droit de lire', 'share access in accountant of read'],
    ['Der Ordner soll ab jetzt Verträge heißen', 'folder rename ab contract'],
    ['Avisa o cliente que está atrasado', 'send message tell customer overdue'],
  ])
    assert.equal(translate(text!).english, english, text)
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
    'edit the content of a page',
    'list participants of a past meeting',
    'weather in Los Angeles',
    'approve or deny registrants',
    'find a restaurant in El Paso',
    '',
  ])
    assert.deepEqual(translate(text), { language: undefined, english: text }, text)
})

test('translation: natural sentences with separated verbs, compounds, pronouns and inflected forms', () => {
  for (const [text, language, english] of [
    ['Sag das Meeting mit Anna ab', 'de', 'cancel Meeting in Anna'],
    ['Füge dem Ticket einen Kommentar hinzu', 'de', 'add ticket a comment'],
    [
      'Lade die Datei in Google Drive hoch und schick mir den Link',
      'de',
      'upload file in Google Drive send Link',
    ],
    ['Ich möchte die Rechnungsnummer des Kunden wissen', 'de', 'invoice number customer know'],
    ['Bitte loesche die Tabellenzeile', 'de', 'delete table row'],
    ['Wurde die Zahlung schon zurückerstattet?', 'de', 'payment refund'],
    ["Annule l'abonnement de ce client et rembourse-le", 'fr', 'cancel subscription of customer refund'],
    ['Quel temps fait-il à Lyon ?', 'fr', 'weather in Lyon'],
    ['Mándame un resumen de la reunión de ayer', 'es', 'send a summarize of meeting of yesterday'],
    ['Búscame el archivo del contrato en Drive', 'es', 'search file of contract in Drive'],
    ['Envie-me o relatório de vendas', 'pt', 'send report of sales'],
    ['Quais são as tarefas atrasadas do projeto?', 'pt', 'which task overdue of project'],
    ["Mandami l'elenco delle fatture", 'it', 'send list of invoice'],
    ['Chiudi il ticket e avvisa la squadra', 'it', 'close ticket notify team'],
  ] as const)
    assert.deepEqual(translate(text.toLowerCase()), { language, english: english.toLowerCase() }, text)
  for (const [text, english] of [
    ['請求書を作って顧客に送ってください', 'invoice create customer send'],
    ['プルリクエストをマージして', 'pull request merge'],
    ['請幫我建立一個新的任務', 'create task'],
    ['帮我把明天的会议取消掉', 'tomorrow meeting cancel'],
  ] as const)
    assert.equal(translate(text).english.trim().split(/\s+/).join(' '), english, text)
})
