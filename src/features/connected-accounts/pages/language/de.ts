import type { Texts } from './en.ts'
import { signInTexts } from './sign-in/de.ts'

export const de: Texts = {
  ...signInTexts,
  'error.title': 'Fehler: {title}',
  this_application: 'Diese Anwendung',
  'status.good': 'Verbunden',
  'status.bad': 'Nicht verbunden',
  support: 'Hilfe',
  privacy: 'Datenschutz',
  request_id: 'Anfrage-ID',
  continue_to: 'Weiter zu {app}',
  cancel: 'Abbrechen',
  start_again: 'Gehen Sie zurück zur Anwendung und beginnen Sie neu.',
  nothing_changed: 'Nichts wurde geändert.',
  close_page: 'Sie können diese Seite schließen und zur Anwendung zurückkehren.',

  'connect.title': '{app} verbinden',
  'connect.button': 'Verbinden',
  'reconnect.title': '{app} neu verbinden',
  'reconnect.button': 'Neu verbinden',
  'connect.asks': '{project} bittet um Zugriff auf Ihr Konto bei {app}.',
  'reconnect.still_works':
    '{project} bittet Sie, Ihr Konto bei {app} neu zu verbinden. Bis dahin funktioniert es weiter.',
  'reconnect.stopped':
    '{project} kann Ihr Konto bei {app} nicht mehr benutzen. Verbinden Sie es neu, dann läuft alles weiter.',
  'connect.for_user': 'Für {user}, Benutzer von {project}.',
  'connect.at_provider': 'Sie melden sich bei {app} an; diese Seite fragt nicht nach Ihrem Passwort.',
  'connect.stored': 'Ihre Eingaben werden verschlüsselt gespeichert und nie wieder angezeigt.',
  'connect.permissions': 'Das darf {project} dann',
  'connect.show_all': 'Alle {count} Berechtigungen anzeigen',
  'connect.rejected':
    '{app} hat Ihre Eingaben nicht akzeptiert. Prüfen Sie sie und versuchen Sie es noch einmal.',
  'connect.no_response':
    '{app} hat nicht brauchbar geantwortet. Prüfen Sie eingegebene URLs, oder versuchen Sie es in einer Minute noch einmal.',
  'connect.impossible': 'Mit diesen Eingaben ist die Verbindung nicht möglich.',
  'connect.details': 'Einzelheiten',
  'connect.hint': 'Wo finde ich das bei {app}?',
  'connect.nothing_yet': 'Noch ist nichts verbunden',
  optional: '(freiwillig)',
  choose_option: 'Auswählen…',
  'field.choose': 'Wählen Sie einen Wert für {name}.',
  'field.enter': 'Geben Sie einen Wert für {name} ein.',
  'field.enum': 'Wählen Sie für {name} einen Wert aus der Liste.',
  'field.format': '{name} hat nicht das richtige Format.',
  'field.example': 'Beispiel: {example}',
  'field.copy': 'Kopieren Sie den Wert noch einmal, ohne etwas davor oder danach.',
  'field.number': 'Geben Sie eine Zahl ein.',

  'choose.title': 'Auswahl: {what}',
  'choose.lead': 'Bei {app} gibt es mehrere. {project} benutzt den Eintrag, den Sie wählen.',
  'choose.missing': 'Wählen Sie einen Eintrag der Liste.',

  'flow.waiting': 'Warten auf {app}',
  'flow.waiting_text':
    '{app} muss die Verbindung noch bestätigen; das dauert einige Sekunden. Sie können diese Seite auch schließen: ' +
    'Die Verbindung wird ohne sie fertig.',
  'flow.check_again': 'Noch einmal prüfen',
  'flow.going_back': 'Sie werden zur Anwendung zurückgeleitet.',
  'flow.back': 'Zurück zur Anwendung',
  'flow.almost_done': 'Fast fertig',
  'flow.connected': '{app} ist verbunden',
  'flow.not_connected': '{app} ist nicht verbunden',
  'flow.connected_as': 'Sie sind verbunden als {identity}.',
  'flow.connected_before': 'Vorher war es {identity}.',
  'flow.keeps_working': 'Die bestehende Verbindung funktioniert weiter.',
  'flow.what_is_missing': 'Was fehlt',
  'flow.provider_message': 'Meldung des Anbieters',
  'flow.to_provider': 'Weiterleitung zu {app}',
  'flow.to_provider_text':
    'Melden Sie sich dort an und erlauben Sie den Zugriff. {app} leitet Sie danach zurück.',

  'link.expired': 'Dieser Link ist abgelaufen',
  'link.expired_text':
    'Eine Verbindung muss innerhalb von zehn Minuten fertig werden, und ein Link gilt einmal.',
  'link.unknown': 'Diesen Link gibt es nicht',
  'link.unknown_text':
    'Prüfen Sie, ob die URL vollständig ist, oder gehen Sie zurück zur Anwendung und beginnen Sie neu.',
  'link.no_state': 'Die Antwort des Anbieters ist unvollständig',
  'link.no_state_text':
    'Der Anbieter hat Sie ohne state zurückgeleitet, deshalb ist nicht erkennbar, zu welcher Verbindung das gehört.',
  'link.wrong_browser': 'Sie haben in einem anderen Browser begonnen',
  'link.wrong_browser_text':
    'Eine Verbindung muss in dem Browser fertig werden, in dem sie begonnen wurde; Cookies müssen erlaubt sein. ' +
    'Nichts wurde geändert. Gehen Sie in diesem Browser zurück zur Anwendung und beginnen Sie neu.',
  'link.wrong_url': 'Die Antwort kam an der falschen URL an',
  'link.wrong_url_text':
    'Der Anbieter hat Sie zu einer URL geleitet, die zu einer anderen Verbindung gehört, deshalb wurde nichts ' +
    'verbunden. Falls Sie das nicht erwartet haben, wollte vielleicht jemand zwei Verbindungen vertauschen.',
  'link.none_started': 'In diesem Browser wurde keine Verbindung begonnen',
  'link.none_started_text':
    'Eine Installation, die anderswo begonnen wurde, lässt sich keinem Benutzer zuordnen, deshalb wurde nichts ' +
    'verbunden. Beginnen Sie die Verbindung in der Anwendung und installieren Sie von der Seite aus, die sie ' +
    'öffnet, innerhalb von zehn Minuten und in diesem Browser.',
  'link.several_started': 'In diesem Browser wurden mehrere Verbindungen begonnen',
  'link.several_started_text':
    'Es ist nicht klar, zu welcher diese Installation gehört, deshalb wurde nichts verbunden. Warten Sie zehn ' +
    'Minuten, oder gehen Sie zurück zur Anwendung und beginnen Sie neu.',
  'link.no_cookie': 'Dieses Formular wurde nicht in diesem Browser geöffnet',
  'link.no_cookie_text':
    'Erlauben Sie Cookies für diese Website, öffnen Sie den Link noch einmal und senden Sie das Formular von dort. ' +
    'Nichts wurde geändert.',

  'provider.declined': 'Sie haben keinen Zugriff gegeben',
  'provider.declined_text': 'Nichts wurde verbunden, weil der Zugriff bei {app} abgelehnt wurde.',
  'provider.declined_retry':
    'Falls das ein Versehen war: Gehen Sie zurück zur Anwendung, beginnen Sie neu und erlauben Sie den Zugriff. Falls ' +
    'Sie ihn erlaubt haben, muss vielleicht erst ein Administrator die App freigeben.',
  'provider.approval_pending': 'Ein Administrator muss die Installation freigeben',
  'provider.approval_pending_text':
    '{app} hat die Administratoren Ihrer Organisation benachrichtigt. Nach der Freigabe: Gehen Sie zurück zur ' +
    'Anwendung und beginnen Sie neu.',
  'provider.consent_missing': 'Kein Administrator hat den Zugriff erlaubt',
  'provider.consent_missing_text':
    'Diese Verbindung braucht die Zustimmung eines Administrators Ihrer Organisation bei {app}. Bitten Sie einen, den ' +
    'Link der Anwendung zu öffnen, oder gehen Sie zurück zur Anwendung und beginnen Sie neu.',
  'provider.consent_required': '{app} braucht Ihre Zustimmung',
  'provider.consent_required_text': '{app} hat diesmal nicht danach gefragt.',
  'provider.sign_in': 'Sie müssen sich bei {app} anmelden',
  'provider.sign_in_text': 'Melden Sie sich zuerst in diesem Browser bei {app} an.',
  'provider.choose_account': 'Sie müssen bei {app} ein Konto wählen',
  'provider.choose_account_text': 'Melden Sie sich bei {app} mit dem Konto an, das Sie verbinden möchten.',
  'provider.redirect': 'Der Redirect-URI ist nicht registriert',
  'provider.redirect_text':
    '{app} akzeptiert die URL nicht, zu der es Sie zurückleiten muss. Wer diese Verbindung eingerichtet hat, muss die ' +
    'Einstellungen der App bei {app} öffnen und diesen Redirect-URI genau so eintragen:',
  'provider.client': '{app} akzeptiert die App dieser Verbindung nicht',
  'provider.client_text':
    'Client-ID oder Client-Secret ist falsch oder wurde bei {app} ersetzt. Wer diese Verbindung eingerichtet hat, ' +
    'muss die aktuellen Werte in der Auth Config eintragen.',
  'provider.no_access': '{app} lässt diese App nicht um Zugriff bitten',
  'provider.grant_type_text':
    'Die App ist bei {app} nicht für diese Art der Anmeldung registriert. Wer diese Verbindung eingerichtet hat, muss ' +
    'das in den Einstellungen der App bei {app} ändern.',
  'provider.unauthorized_text':
    'Die App ist bei {app} registriert, aber nicht für diese Art der Anmeldung, oder sie ist noch nicht freigegeben. ' +
    'Wer diese Verbindung eingerichtet hat, muss das in den Einstellungen der App bei {app} ändern.',
  'provider.scope': '{app} kennt eine der Berechtigungen nicht',
  'provider.scope_text':
    'Eine der Berechtigungen (Scopes) ist falsch geschrieben oder für die App nicht aktiviert. Wer diese Verbindung ' +
    'eingerichtet hat, muss die Scopes der Auth Config berichtigen oder in den Einstellungen der App bei {app} ' +
    'aktivieren.',
  'provider.target': '{app} kennt das Ziel dieser Verbindung nicht',
  'provider.target_text':
    'Die Ressource dieser Verbindung gibt es bei {app} nicht. Wer diese Verbindung eingerichtet hat, muss sie ' +
    'berichtigen.',
  'provider.request': '{app} hat die Anfrage nicht verstanden',
  'provider.request_text':
    'Wer diese Verbindung eingerichtet hat, muss die Auth Config mit den Einstellungen der App bei {app} vergleichen.',
  'provider.code_expired': 'Die Anmeldung hat zu lange gedauert',
  'provider.code_expired_text': '{app} akzeptiert den ausgestellten Code nicht mehr.',
  'provider.failed': '{app} hat ein Problem',
  'provider.wait_text': 'Das liegt nicht an Ihnen. Warten Sie einige Minuten.',
  'provider.unavailable': '{app} ist gerade nicht erreichbar',
  'provider.too_many_text': 'Es gab zu viele Anfragen. Warten Sie einige Minuten.',
  'provider.not_available': '{app} kann nicht mehr verbunden werden',
  'provider.not_available_text':
    'Während Sie bei {app} waren, wurde hier eine Einstellung entfernt, die diese Verbindung braucht. Senden Sie die ' +
    'Meldung unten an die Person, von der Sie den Link haben. Beginnen Sie neu, wenn die Einstellung wieder da ist.',
  'provider.other': '{app} wurde nicht verbunden',

  'scope.openid': 'Wissen, wer Sie sind',
  'scope.profile': 'Ihren Namen und Ihr Bild sehen',
  'scope.email': 'Ihre E-Mail-Adresse sehen',
  'scope.address': 'Ihre Postanschrift sehen',
  'scope.phone': 'Ihre Telefonnummer sehen',
  'scope.offline_access': 'Den Zugriff behalten, während Sie abwesend sind',
  'scope.other': 'Zugriff auf „{name}“',
  'tools.see': 'Daten sehen',
  'tools.change': 'Daten anlegen und ändern',
  'tools.delete': 'Daten löschen',
  'tools.more': '{names} und {count} weitere',

  'approval.title': '„{tool}“ in {app} erlauben?',
  'approval.lead': '{project} fragt, bevor dies ausgeführt wird. Noch wurde nichts gesendet.',
  'approval.lead_user': '{project} fragt, bevor dies für {user} ausgeführt wird. Noch wurde nichts gesendet.',
  'approval.application': 'Eine Anwendung',
  'approval.tool': 'Werkzeug',
  'approval.account': 'Konto',
  'approval.reason': 'Grund',
  'approval.decide_before': 'Entscheiden bis',
  'approval.allow_once': 'Einmal erlauben',
  'approval.allow_session': 'Für diese Sitzung erlauben',
  'approval.deny': 'Ablehnen',
  'approval.read_first': 'Sie können den Aufruf erlauben, wenn Sie sein letztes Argument gesehen haben.',
  'approval.continue': 'Weiterlesen',
  'approval.once':
    '„Einmal erlauben“ erlaubt genau diesen Aufruf. Ändert sich etwas daran, werden Sie wieder gefragt.',
  'approval.session':
    '„Für diese Sitzung erlauben“ erlaubt auch jeden späteren Aufruf von „{tool}“, mit beliebigen Werten, bis die ' +
    'Sitzung endet.',
  'approval.session_account':
    '„Für diese Sitzung erlauben“ erlaubt auch jeden späteren Aufruf von „{tool}“ mit diesem Konto, mit beliebigen ' +
    'Werten, bis die Sitzung endet.',
  'approval.soon': 'in weniger als einer Minute',
  'approval.sources': 'Vor diesem Aufruf hat der Agent Inhalte gelesen, die andere geschrieben haben',
  'approval.sources_text':
    'Solche Inhalte können Anweisungen an den Agenten enthalten. Prüfen Sie, ob Sie diesen Aufruf wollen.',
  'approval.more': 'Weitere',
  'approval.more_sources': '{count} weitere Quellen',
  'approval.arguments': 'Argumente',
  'approval.none': 'keine',
  'approval.more_arguments': 'Weitere Argumente',
  'approval.hidden_arguments': 'Diese Seite zeigt {count} weitere Argumente nicht.',
  'approval.hidden_characters': 'Diese Seite zeigt {count} weitere Zeichen nicht.',
  'approval.read_all': 'Lesen Sie sie mit „patchbay approvals read“, bevor Sie entscheiden.',
  'content.mail': 'E-Mail',
  'content.chat': 'Chat-Nachrichten',
  'content.web': 'Webseiten',
  'content.issues': 'Issues, Tickets oder Code',
  'content.files': 'Dateien und Dokumente',
  'content.social': 'Soziale Medien',
  'content.calendar': 'Kalendereinträge',
  'content.forms': 'Formulare und Rückmeldungen',
  'content.records': 'Datensätze einer Anwendung',
  'content.stored': 'Notizen oder Rezepte einer früheren Sitzung',
  'approval.expired': 'Diese Anfrage ist abgelaufen',
  'approval.expired_text':
    'Nichts wurde gesendet. Falls Sie den Aufruf noch brauchen, starten Sie ihn neu. Dann werden Sie wieder gefragt.',
  'approval.decided': 'Über diese Anfrage wurde schon entschieden',
  'approval.was_denied': 'Der Aufruf wurde abgelehnt. Sie können diese Seite schließen.',
  'approval.was_allowed': 'Der Aufruf wurde erlaubt. Sie können diese Seite schließen.',
  'approval.denied': 'Abgelehnt',
  'approval.denied_text': 'Der Aufruf wird nicht gesendet. Sie können diese Seite schließen.',
  'approval.allowed': 'Erlaubt',
  'approval.allowed_text':
    'Gehen Sie zurück und starten Sie den Aufruf neu. Er läuft jetzt genau so, wie diese Seite ihn gezeigt hat.',
}
