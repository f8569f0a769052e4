import type { Texts } from './en.ts'
import { signInTexts } from './sign-in/es.ts'

export const es: Texts = {
  ...signInTexts,
  'error.title': 'Error: {title}',
  this_application: 'Esta aplicación',
  'status.good': 'Conectado',
  'status.bad': 'No conectado',
  support: 'Ayuda',
  privacy: 'Privacidad',
  request_id: 'Id de la solicitud',
  continue_to: 'Continuar en {app}',
  cancel: 'Cancelar',
  start_again: 'Vuelva a la aplicación y empiece de nuevo.',
  nothing_changed: 'No se ha cambiado nada.',
  close_page: 'Puede cerrar esta página y volver a la aplicación.',

  'connect.title': 'Conectar {app}',
  'connect.button': 'Conectar',
  'reconnect.title': 'Volver a conectar {app}',
  'reconnect.button': 'Volver a conectar',
  'connect.asks': '{project} solicita acceso a su cuenta de {app}.',
  'reconnect.still_works':
    '{project} le pide que vuelva a conectar su cuenta de {app}. Hasta entonces sigue funcionando.',
  'reconnect.stopped':
    '{project} ya no puede usar su cuenta de {app}. Vuelva a conectarla y todo lo que la usa continuará.',
  'connect.for_user': 'Para {user}, usuario de {project}.',
  'connect.at_provider': 'Usted inicia sesión en {app}; esta página no pide su contraseña.',
  'connect.stored': 'Lo que escribe se guarda cifrado y no se vuelve a mostrar.',
  'connect.permissions': '{project} podrá',
  'connect.show_all': 'Mostrar los {count} permisos',
  'connect.rejected': '{app} no aceptó lo que escribió. Compruébelo e inténtelo de nuevo.',
  'connect.no_response':
    '{app} no dio una respuesta útil. Compruebe las URL que escribió, o inténtelo de nuevo dentro de un minuto.',
  'connect.impossible': 'Esta conexión no es posible con lo que escribió.',
  'connect.details': 'Detalles',
  'connect.hint': '¿Dónde encuentro esto en {app}?',
  'connect.nothing_yet': 'Todavía no hay nada conectado',
  optional: '(opcional)',
  choose_option: 'Elegir…',
  'field.choose': 'Elija un valor para {name}.',
  'field.enter': 'Escriba un valor para {name}.',
  'field.enum': 'Elija uno de los valores de la lista para {name}.',
  'field.format': '{name} no tiene el formato correcto.',
  'field.example': 'Ejemplo: {example}',
  'field.copy': 'Cópielo de nuevo, sin nada antes ni después.',
  'field.number': 'Escriba un número.',

  'choose.title': 'Elegir: {what}',
  'choose.lead': 'Tiene más de uno en {app}. {project} usará el que usted elija.',
  'choose.missing': 'Elija un elemento de la lista.',

  'flow.waiting': 'Esperando a {app}',
  'flow.waiting_text':
    '{app} aún tiene que confirmar la conexión, lo que tarda unos segundos. También puede cerrar esta página: la ' +
    'conexión se completa sin ella.',
  'flow.check_again': 'Comprobar de nuevo',
  'flow.going_back': 'Volviendo a la aplicación.',
  'flow.back': 'Volver a la aplicación',
  'flow.almost_done': 'Casi listo',
  'flow.connected': '{app} está conectado',
  'flow.not_connected': '{app} no está conectado',
  'flow.connected_as': 'Está conectado como {identity}.',
  'flow.connected_before': 'Antes era {identity}.',
  'flow.keeps_working': 'La conexión existente sigue funcionando.',
  'flow.what_is_missing': 'Lo que falta',
  'flow.provider_message': 'Mensaje del proveedor',
  'flow.to_provider': 'Redirigiendo a {app}',
  'flow.to_provider_text': 'Inicie sesión allí y permita el acceso. Después, {app} le envía de vuelta.',

  'link.expired': 'Este enlace ha caducado',
  'link.expired_text': 'Una conexión debe terminarse en diez minutos, y un enlace sirve una sola vez.',
  'link.unknown': 'Este enlace no existe',
  'link.unknown_text': 'Compruebe que la URL esté completa, o vuelva a la aplicación y empiece de nuevo.',
  'link.no_state': 'La respuesta del proveedor está incompleta',
  'link.no_state_text':
    'El proveedor le envió de vuelta sin «state», así que no se puede identificar esta conexión.',
  'link.wrong_browser': 'Empezó en otro navegador',
  'link.wrong_browser_text':
    'Una conexión debe terminarse en el navegador en el que se empezó, con las cookies permitidas. No se ha cambiado ' +
    'nada. Vuelva a la aplicación en este navegador y empiece de nuevo.',
  'link.wrong_url': 'La respuesta llegó a la URL equivocada',
  'link.wrong_url_text':
    'El proveedor le envió a una URL que pertenece a otra conexión, así que no se conectó nada. Si no lo esperaba, ' +
    'quizá alguien intentó mezclar dos conexiones.',
  'link.none_started': 'No se empezó ninguna conexión en este navegador',
  'link.none_started_text':
    'Una instalación empezada en otro lugar no puede asignarse a un usuario, así que no se conectó nada. Empiece la ' +
    'conexión en la aplicación e instale desde la página que abre, en diez minutos y en este navegador.',
  'link.several_started': 'Se empezaron varias conexiones en este navegador',
  'link.several_started_text':
    'No está claro a cuál pertenece esta instalación, así que no se conectó nada. Espere diez minutos, o vuelva a la ' +
    'aplicación y empiece de nuevo.',
  'link.no_cookie': 'Este formulario no se abrió en este navegador',
  'link.no_cookie_text':
    'Permita las cookies de este sitio, abra de nuevo el enlace y envíe el formulario desde allí. No se ha cambiado nada.',

  'provider.declined': 'No dio acceso',
  'provider.declined_text': 'No se conectó nada, porque el acceso se rechazó en {app}.',
  'provider.declined_retry':
    'Si fue por error: vuelva a la aplicación, empiece de nuevo y permita el acceso. Si lo permitió, quizá un ' +
    'administrador tenga que aprobar antes la aplicación.',
  'provider.approval_pending': 'Un administrador debe aprobar la instalación',
  'provider.approval_pending_text':
    '{app} ha avisado a los administradores de su organización. Cuando uno la haya aprobado: vuelva a la aplicación y ' +
    'empiece de nuevo.',
  'provider.consent_missing': 'Ningún administrador permitió el acceso',
  'provider.consent_missing_text':
    'Esta conexión necesita el consentimiento de un administrador de su organización en {app}. Pídale que abra el ' +
    'enlace de la aplicación, o vuelva a la aplicación y empiece de nuevo.',
  'provider.consent_required': '{app} necesita su consentimiento',
  'provider.consent_required_text': '{app} no lo pidió esta vez.',
  'provider.sign_in': 'Debe iniciar sesión en {app}',
  'provider.sign_in_text': 'Inicie primero sesión en {app} en este navegador.',
  'provider.choose_account': 'Debe elegir una cuenta en {app}',
  'provider.choose_account_text': 'Inicie sesión en {app} con la cuenta que quiere conectar.',
  'provider.redirect': 'El URI de redirección no está registrado',
  'provider.redirect_text':
    '{app} no acepta la URL a la que tiene que enviarle de vuelta. La persona que configuró esta conexión debe abrir ' +
    'los ajustes de la aplicación en {app} y añadir este URI de redirección, exactamente así:',
  'provider.client': '{app} no acepta la aplicación de esta conexión',
  'provider.client_text':
    'El client id o el client secret es incorrecto, o se reemplazó en {app}. La persona que configuró esta conexión ' +
    'debe introducir los actuales en la auth config.',
  'provider.no_access': '{app} no permite que esta aplicación solicite acceso',
  'provider.grant_type_text':
    'La aplicación no está registrada en {app} para esta forma de iniciar sesión. La persona que configuró esta ' +
    'conexión debe cambiarlo en los ajustes de la aplicación en {app}.',
  'provider.unauthorized_text':
    'La aplicación está registrada en {app}, pero no para esta forma de iniciar sesión, o aún no está aprobada. La ' +
    'persona que configuró esta conexión debe cambiarlo en los ajustes de la aplicación en {app}.',
  'provider.scope': '{app} no reconoce un permiso solicitado',
  'provider.scope_text':
    'Uno de los permisos (scopes) está mal escrito o no está activado para la aplicación. La persona que configuró ' +
    'esta conexión debe corregir los scopes de la auth config, o activarlos en los ajustes de la aplicación en {app}.',
  'provider.target': '{app} no reconoce el destino de esta conexión',
  'provider.target_text':
    'El recurso de esta conexión no existe en {app}. La persona que configuró esta conexión debe corregirlo.',
  'provider.request': '{app} no entendió la solicitud',
  'provider.request_text':
    'La persona que configuró esta conexión debe comparar la auth config con los ajustes de la aplicación en {app}.',
  'provider.code_expired': 'El inicio de sesión tardó demasiado',
  'provider.code_expired_text': '{app} ya no acepta el código que emitió.',
  'provider.failed': '{app} tiene un problema',
  'provider.wait_text': 'No es culpa suya. Espere unos minutos.',
  'provider.unavailable': '{app} no está disponible en este momento',
  'provider.too_many_text': 'Recibió demasiadas solicitudes. Espere unos minutos.',
  'provider.not_available': '{app} ya no se puede conectar',
  'provider.not_available_text':
    'Mientras usted estaba en {app}, aquí se eliminó un ajuste que esta conexión necesita. Envíe el mensaje de abajo a ' +
    'la persona que le dio el enlace. Cuando el ajuste vuelva, empiece de nuevo.',
  'provider.other': '{app} no se conectó',

  'scope.openid': 'Saber quién es usted',
  'scope.profile': 'Ver su nombre y su foto',
  'scope.email': 'Ver su dirección de correo electrónico',
  'scope.address': 'Ver su dirección postal',
  'scope.phone': 'Ver su número de teléfono',
  'scope.offline_access': 'Mantener el acceso mientras usted no está',
  'scope.other': 'Acceder a «{name}»',
  'tools.see': 'Ver datos',
  'tools.change': 'Crear y cambiar datos',
  'tools.delete': 'Eliminar datos',
  'tools.more': '{names} y {count} más',

  'approval.title': '¿Permitir «{tool}» en {app}?',
  'approval.lead': '{project} pregunta antes de ejecutar esto. Todavía no se ha enviado nada.',
  'approval.lead_user':
    '{project} pregunta antes de ejecutar esto para {user}. Todavía no se ha enviado nada.',
  'approval.application': 'Una aplicación',
  'approval.tool': 'Herramienta',
  'approval.account': 'Cuenta',
  'approval.reason': 'Motivo',
  'approval.decide_before': 'Decidir antes de',
  'approval.allow_once': 'Permitir una vez',
  'approval.allow_session': 'Permitir en esta sesión',
  'approval.deny': 'Denegar',
  'approval.read_first': 'Podrá permitir la llamada cuando haya visto su último argumento.',
  'approval.continue': 'Seguir leyendo',
  'approval.once':
    '«Permitir una vez» permite exactamente esta llamada. Si algo cambia en ella, se le pregunta de nuevo.',
  'approval.session':
    '«Permitir en esta sesión» permite también toda llamada posterior de «{tool}», con cualquier valor, hasta que ' +
    'termine la sesión.',
  'approval.session_account':
    '«Permitir en esta sesión» permite también toda llamada posterior de «{tool}» con esta cuenta, con cualquier ' +
    'valor, hasta que termine la sesión.',
  'approval.soon': 'en menos de un minuto',
  'approval.sources': 'Antes de esta llamada, el agente leyó contenido escrito por otras personas',
  'approval.sources_text':
    'Ese contenido puede incluir instrucciones para el agente. Compruebe que quiere esta llamada.',
  'approval.more': 'Más',
  'approval.more_sources': '{count} fuentes más',
  'approval.arguments': 'Argumentos',
  'approval.none': 'ninguno',
  'approval.more_arguments': 'Más argumentos',
  'approval.hidden_arguments': 'Esta página no muestra {count} argumentos más.',
  'approval.hidden_characters': 'Esta página no muestra {count} caracteres más.',
  'approval.read_all': 'Léalos con «patchbay approvals read» antes de decidir.',
  'content.mail': 'Correo electrónico',
  'content.chat': 'Mensajes de chat',
  'content.web': 'Páginas web',
  'content.issues': 'Incidencias, tickets o código',
  'content.files': 'Archivos y documentos',
  'content.social': 'Redes sociales',
  'content.calendar': 'Entradas de calendario',
  'content.forms': 'Formularios y comentarios',
  'content.records': 'Registros de una aplicación',
  'content.stored': 'Notas o recetas de una sesión anterior',
  'approval.expired': 'Esta solicitud ha caducado',
  'approval.expired_text':
    'No se envió nada. Si aún necesita la llamada, iníciela de nuevo. Entonces se le preguntará otra vez.',
  'approval.decided': 'Esta solicitud ya está decidida',
  'approval.was_denied': 'La llamada se denegó. Puede cerrar esta página.',
  'approval.was_allowed': 'La llamada se permitió. Puede cerrar esta página.',
  'approval.denied': 'Denegado',
  'approval.denied_text': 'La llamada no se envía. Puede cerrar esta página.',
  'approval.allowed': 'Permitido',
  'approval.allowed_text':
    'Vuelva e inicie la llamada de nuevo. Ahora se ejecuta exactamente como la mostró esta página.',
}
