// What is said on demand, in Spanish.

/** @type {import("./words.js").Rarely} */
export const rarely = {
  place: "Tienes el número {position} en la cola para hablar con una persona.",
  waitUnknown: "Aún no sabemos cuánto tardará.",
  waitKnown: "Otras personas han esperado hace poco alrededor de {wait}.",
  closed:
    "Nuestro equipo no está ahora y vuelve el {day}, {time}, en tu hora local. Puedes seguir escribiendo aquí.",
  joined: "{name} está aquí. Estás hablando con una persona.",
  types: "{name} está escribiendo…",
  seen: "Visto",
  rate: "¿Qué tal ha sido la ayuda?",
  score: "{score} de 5",
  worst: "Muy mala",
  best: "Muy buena",
  comment: "¿Algo que añadir? (opcional)",
  sendRating: "Enviar valoración",
  rated: "Gracias por tu valoración.",
  restart: "Conversación nueva",
  download: "Descargar la conversación",
  attach: "Adjuntar una imagen",
  imagesOnly: "Solo se pueden enviar imágenes de hasta 5 MB: PNG, JPEG, WebP o GIF.",
  restartAsk: "¿Empezar una conversación nueva? Nuestro equipo conserva esta, pero ya no la verás aquí.",
  cancel: "Cancelar",
  failed: "No ha funcionado. Inténtalo de nuevo.",
  edited: "editado",
  deleted: "Este mensaje se ha eliminado.",
  tryAgain: "Intentarlo de nuevo",
};
