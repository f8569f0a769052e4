import type { SignInTexts } from './en.ts'

export const signInTexts: SignInTexts = {
  'signin.title': 'Iniciar sesión para {resource}',
  'signin.asks': '{program} pide usar {resource} de {project}.',
  'signin.asks_for': '{program} pide usar {resource} de {project} para el usuario {user}.',
  'signin.program': 'Un programa que se presenta como {name}',
  'signin.program_of': '{name} de {host}',
  'signin.unnamed': 'sin nombre',
  'signin.have_link': 'Si {project} le dio un enlace para iniciar sesión, ábralo ahora en este navegador.',
  'signin.or_key': 'O inicie sesión con una clave del proyecto',
  'signin.user': 'Usuario',
  'signin.user_text': 'El usuario cuyas cuentas usará el programa.',
  'signin.key': 'Clave',
  'signin.key_text': 'Una clave de API de {project} con el permiso sessions:write. No se guarda.',
  'signin.button': 'Iniciar sesión',
  'signin.with_provider': 'Iniciar sesión con {provider}',
  'signin.provider_unreachable':
    'No se puede acceder a {provider} en este momento. Inténtelo de nuevo dentro de un minuto o inicie sesión de otra forma.',
  'signin.provider_failed':
    'No se pudo iniciar sesión en {provider}. Inténtelo de nuevo o inicie sesión de otra forma.',
  'signin.provider_no_user':
    '{provider} no indicó qué usuario es usted, por lo que no puede iniciar sesión con este proveedor. Póngase en contacto con {project}.',
  'signin.as': 'Iniciar sesión como {user}',
  'signin.user_error': 'Escriba un id de usuario de {max} caracteres como máximo.',
  'signin.key_error':
    'La clave de API de {project} no es válida, o le falta sessions:write o tool_execution:write.',
  'signin.other_user': 'Inició sesión como {user}, pero la URL del programa es para {other}.',
  'signin.link_lead':
    'Con este enlace de {project} inicia sesión como {user} y puede permitir que programas usen ' +
    '{resource} por usted.',
  'signin.link_foot': 'Este navegador mantiene la sesión durante una hora. Continúe solo si es usted.',
  'signin.done': 'Ha iniciado sesión',
  'signin.done_text':
    'Este navegador tiene la sesión de {user} durante una hora. Conecte ahora su programa. Abrirá aquí ' +
    'una página en la que permite el acceso.',
  'signin.nothing': 'No hay nada para lo que iniciar sesión',
  'signin.nothing_text':
    'La URL del programa no es la de un servidor MCP ni de una sesión, o fue eliminada. Compruebe la URL ' +
    'del programa y conéctelo de nuevo.',
  'signin.too_many': 'Demasiados inicios de sesión abiertos',
  'signin.too_many_text':
    'Desde esta red se empezaron demasiados inicios de sesión sin terminarlos. Espere 15 minutos y ' +
    'conecte de nuevo.',
  'signin.ended': 'Este inicio de sesión ha terminado',
  'signin.ended_text':
    'Ya está completo, o estuvo abierto más de 15 minutos. Conecte de nuevo en el programa.',
  'signin.link_ended_text':
    'Un enlace para iniciar sesión sirve una vez, durante diez minutos. Pida uno nuevo a la aplicación ' +
    'que le dio este.',

  'consent.title': 'Permitir el acceso a {resource}',
  'consent.asks': '{program} pide usar {resource} de {project} en su nombre.',
  'consent.able': 'Podrá',
  'consent.run': 'ejecutar las herramientas de {resource} para el usuario {user}',
  'consent.use': 'usar las cuentas que {user} conectó para ellas',
  'consent.allow': 'Permitir como {user}',
  'consent.result':
    'El resultado se envía a: {destination}. Permita el acceso solo si usted mismo empezó esto allí.',
  'consent.signed_in': 'Inició sesión como {user}; {other}.',
  'consent.other': 'iniciar sesión como otro usuario',

  'program.local': 'un programa de este equipo',
  'program.scheme': 'el programa de este equipo que abre enlaces {scheme}',

  'request.invalid': 'El programa envió una solicitud no válida',
  'request.invalid_text': 'El desarrollador del programa debe corregirlo.',
  'request.return': 'Volver: {destination}',
  'request.wrong_url': 'El programa envió una URI de redirección que no registró',
  'request.wrong_url_text':
    'No se envía nada a esa URI. Quite la conexión en el programa y añádala de nuevo. Si no ayuda, ' +
    'contacte con el desarrollador del programa.',
  'request.too_many': 'Se consultaron demasiados programas',
  'request.unregistered': 'Este programa no está registrado',
  'request.unregistered_text': 'Quite la conexión en el programa y añádala de nuevo.',

  'failure.missing': 'Esta página no existe',
  'failure.missing_text':
    'Compruebe la URL. La referencia de la API indica lo que este servidor puede hacer.',
  'failure.reference': 'Abrir la referencia de la API',
  'failure.url': 'Esta URL no es válida',
  'failure.url_text':
    'Falta una parte o fue cambiada. Cópiela de nuevo, o vuelva a la aplicación y empiece otra vez.',
  'failure.form_size': 'El formulario es demasiado grande',
  'failure.form_size_text':
    'Un formulario puede tener como máximo 64 kB. Vuelva a la página anterior, busque un campo con un ' +
    'texto equivocado y envíe el formulario de nuevo.',
  'failure.form_only': 'Aquí solo se puede enviar un formulario',
  'failure.form_only_text': 'Abra en un navegador el enlace que recibió y envíe el formulario desde allí.',
  'failure.unavailable': 'El servidor no está disponible en este momento',
  'failure.unavailable_text': 'Espere un minuto.',
  'failure.not_possible': 'Este servidor no puede conectar esta cuenta',
  'failure.not_possible_text': 'La aplicación que le envió aquí debe usar otra forma de iniciar sesión.',
  'failure.server': 'Algo falló en este servidor',
  'failure.server_text': 'No es culpa suya.',
  'failure.server_again':
    'Si vuelve a ocurrir, envíe el id de solicitud de abajo al administrador de este servidor.',
  'failure.request': 'La solicitud falló',

  'field.stored':
    '{name} no se puede guardar: es demasiado largo o tiene caracteres no válidos. Cópielo de nuevo.',

  'method.title': '¿Cómo quiere iniciar sesión?',
  'method.provider': 'Iniciar sesión en {app}',
  'method.api_key': 'Escribir una clave de API',
  'method.token': 'Escribir un token de acceso',
  'method.password': 'Escribir usuario y contraseña',
  'method.service_account': 'Usar una cuenta de servicio',
  'method.other': 'Escribir otras credenciales',
}
