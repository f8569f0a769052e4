import type { SignInTexts } from './en.ts'

export const signInTexts: SignInTexts = {
  'signin.title': 'Anmelden für {resource}',
  'signin.asks': '{program} bittet, {resource} von {project} benutzen zu dürfen.',
  'signin.asks_for': '{program} bittet, {resource} von {project} für {user} benutzen zu dürfen.',
  'signin.program': 'Ein Programm, das sich {name} nennt,',
  'signin.program_of': '{name} von {host}',
  'signin.unnamed': 'ohne Namen',
  'signin.have_link':
    'Wenn Sie von {project} einen Anmeldelink haben, öffnen Sie ihn jetzt in diesem Browser.',
  'signin.or_key': 'Oder melden Sie sich mit einem Schlüssel des Projekts an',
  'signin.user': 'Benutzer',
  'signin.user_text': 'Der Benutzer, dessen Konten das Programm benutzen wird.',
  'signin.key': 'Schlüssel',
  'signin.key_text':
    'Ein API-Schlüssel von {project} mit der Berechtigung sessions:write. Er wird nicht gespeichert.',
  'signin.button': 'Anmelden',
  'signin.with_provider': 'Bei {provider} anmelden',
  'signin.provider_unreachable':
    '{provider} ist gerade nicht erreichbar. Versuchen Sie es in einer Minute erneut, oder melden Sie sich anders an.',
  'signin.provider_failed':
    'Die Anmeldung bei {provider} ist nicht gelungen. Versuchen Sie es erneut, oder melden Sie sich anders an.',
  'signin.provider_no_user':
    '{provider} hat nicht mitgeteilt, welcher Benutzer Sie sind. Sie können sich damit nicht anmelden. Wenden Sie sich an {project}.',
  'signin.as': 'Als {user} anmelden',
  'signin.user_error': 'Geben Sie eine Benutzer-ID mit höchstens {max} Zeichen ein.',
  'signin.key_error':
    'Das ist kein gültiger API-Schlüssel von {project}, oder ihm fehlt sessions:write oder ' +
    'tool_execution:write.',
  'signin.other_user': 'Sie sind als {user} angemeldet, aber die URL im Programm ist für {other}.',
  'signin.link_lead':
    'Mit diesem Link von {project} melden Sie sich als {user} an. Danach können Sie Programmen erlauben, ' +
    '{resource} für Sie zu benutzen.',
  'signin.link_foot': 'Dieser Browser bleibt eine Stunde angemeldet. Fahren Sie nur fort, wenn Sie das sind.',
  'signin.done': 'Sie sind angemeldet',
  'signin.done_text':
    'Dieser Browser ist für eine Stunde als {user} angemeldet. Verbinden Sie jetzt Ihr Programm. Es ' +
    'öffnet hier eine Seite, auf der Sie den Zugriff erlauben.',
  'signin.nothing': 'Hier gibt es nichts, wofür Sie sich anmelden können',
  'signin.nothing_text':
    'Die URL im Programm gehört zu keinem MCP-Server und keiner Sitzung, oder sie wurde gelöscht. Prüfen ' +
    'Sie die URL im Programm und verbinden Sie es neu.',
  'signin.too_many': 'Zu viele offene Anmeldungen',
  'signin.too_many_text':
    'Aus diesem Netz wurden zu viele Anmeldungen begonnen und nicht beendet. Warten Sie 15 Minuten und ' +
    'verbinden Sie dann neu.',
  'signin.ended': 'Diese Anmeldung ist beendet',
  'signin.ended_text':
    'Sie ist schon fertig oder war länger als 15 Minuten offen. Verbinden Sie im Programm neu.',
  'signin.link_ended_text':
    'Ein Anmeldelink gilt einmal und zehn Minuten lang. Fordern Sie einen neuen bei der Anwendung an, von ' +
    'der Sie diesen haben.',

  'consent.title': 'Zugriff auf {resource} erlauben',
  'consent.asks': '{program} bittet, {resource} von {project} in Ihrem Namen benutzen zu dürfen.',
  'consent.able': 'Das Programm darf dann',
  'consent.run': 'die Werkzeuge von {resource} für {user} ausführen',
  'consent.use': 'die Konten benutzen, die {user} dafür verbunden hat',
  'consent.allow': 'Als {user} erlauben',
  'consent.result':
    'Das Ergebnis geht an: {destination}. Erlauben Sie den Zugriff nur, wenn Sie das dort selbst begonnen ' +
    'haben.',
  'consent.signed_in': 'Sie sind als {user} angemeldet; {other}.',
  'consent.other': 'als anderer Benutzer anmelden',

  'program.local': 'ein Programm auf diesem Computer',
  'program.scheme': 'das Programm auf diesem Computer, das Links mit {scheme} öffnet',

  'request.invalid': 'Das Programm hat eine ungültige Anfrage gesendet',
  'request.invalid_text': 'Der Entwickler des Programms muss das beheben.',
  'request.return': 'Zurück: {destination}',
  'request.wrong_url': 'Das Programm hat eine Redirect-URI gesendet, die es nicht registriert hat',
  'request.wrong_url_text':
    'An diese URI wird nichts gesendet. Entfernen Sie die Verbindung im Programm und fügen Sie sie neu ' +
    'hinzu. Wenn das nicht hilft, wenden Sie sich an den Entwickler des Programms.',
  'request.too_many': 'Es wurden zu viele Programme abgefragt',
  'request.unregistered': 'Dieses Programm ist nicht registriert',
  'request.unregistered_text': 'Entfernen Sie die Verbindung im Programm und fügen Sie sie neu hinzu.',

  'failure.missing': 'Diese Seite gibt es nicht',
  'failure.missing_text': 'Prüfen Sie die URL. Die API-Referenz zeigt, was dieser Server kann.',
  'failure.reference': 'API-Referenz öffnen',
  'failure.url': 'Diese URL ist nicht gültig',
  'failure.url_text':
    'Ein Teil fehlt oder wurde verändert. Kopieren Sie sie noch einmal von dort, wo Sie sie gefunden ' +
    'haben, oder gehen Sie zurück zur Anwendung und beginnen Sie neu.',
  'failure.form_size': 'Das Formular ist zu groß',
  'failure.form_size_text':
    'Ein Formular darf höchstens 64 kB haben. Gehen Sie eine Seite zurück, suchen Sie ein Feld mit ' +
    'falschem Text und senden Sie das Formular noch einmal.',
  'failure.form_only': 'Hier kann nur ein Formular gesendet werden',
  'failure.form_only_text':
    'Öffnen Sie den Link, den Sie erhalten haben, in einem Browser und senden Sie das Formular von dort.',
  'failure.unavailable': 'Der Server ist gerade nicht verfügbar',
  'failure.unavailable_text': 'Warten Sie eine Minute.',
  'failure.not_possible': 'Dieser Server kann dieses Konto nicht verbinden',
  'failure.not_possible_text':
    'Die Anwendung, die Sie hierher geleitet hat, muss eine andere Art der Anmeldung benutzen.',
  'failure.server': 'Auf diesem Server ist ein Fehler aufgetreten',
  'failure.server_text': 'Das liegt nicht an Ihnen.',
  'failure.server_again':
    'Wenn es wieder geschieht, senden Sie die Anfrage-ID unten an den Administrator dieses Servers.',
  'failure.request': 'Die Anfrage ist fehlgeschlagen',

  'field.stored':
    '{name} kann nicht gespeichert werden: zu lang oder mit ungültigen Zeichen. Kopieren Sie den Wert ' +
    'noch einmal.',

  'method.title': 'Wie möchten Sie sich anmelden?',
  'method.provider': 'Bei {app} anmelden',
  'method.api_key': 'Einen API-Schlüssel eingeben',
  'method.token': 'Ein Zugriffstoken eingeben',
  'method.password': 'Benutzername und Passwort eingeben',
  'method.service_account': 'Ein Dienstkonto benutzen',
  'method.other': 'Andere Zugangsdaten eingeben',
}
