"""Promises of a person, in five languages: each is recognised, and advice that only speaks of people is none."""

import pytest

from bot.core.promises import promises_person

PROMISES = {
    "en": (
        "I'll connect you with a member of our team.",
        "I will get someone to help you.",
        "Someone will be with you shortly.",
        "I've passed your question on to our team.",
        "Hold on while I transfer you.",
        "A member of our team will follow up by email.",
        "Our support team will take it from here.",
        "I am escalating this to a human agent.",
        "You'll be contacted by an agent.",
        "I have notified my colleague.",
        "Expect a call from our specialist.",
        "A human will review your request.",
        "We'll get back to you soon.",
        "I'm handing you over to a person.",
        "Please wait, an agent is joining.",
        "I can arrange a callback from our team.",
        "Your case has been forwarded to our team.",
    ),
    "es": (
        "Te paso con una persona.",
        "Un agente se comunicará contigo.",
        "Le transfiero a un compañero.",
        "He avisado a nuestro equipo.",
        "Nuestro equipo te responderá pronto.",
        "Alguien te llamará.",
        "Te pongo en contacto con un agente.",
        "Voy a transferirte con un agente.",
        "Un compañero se pondrá en contacto contigo.",
        "He reenviado tu consulta a nuestro equipo.",
        "Un agente humano va a ayudarte.",
        "Nos pondremos en contacto contigo.",
    ),
    "de": (
        "Ich verbinde Sie mit einem Kollegen.",
        "Ein Mitarbeiter meldet sich bei Ihnen.",
        "Ich gebe Ihr Anliegen an unser Team weiter.",
        "Jemand wird Sie anrufen.",
        "Ich leite Sie an einen Menschen weiter.",
        "Unser Team kümmert sich darum.",
        "Ich habe Ihre Anfrage an das Team weitergeleitet.",
        "Sie werden von einem Mitarbeiter kontaktiert.",
        "Ein Kollege hilft Ihnen gleich weiter.",
        "Wir melden uns bei Ihnen.",
        "Ich hole einen Kollegen dazu.",
    ),
    "fr": (
        "Je vous mets en relation avec un conseiller.",
        "Un conseiller va vous répondre.",
        "Quelqu'un vous contactera.",
        "J'ai transmis votre demande à notre équipe.",
        "Notre équipe vous répondra bientôt.",
        "Je vous transfère à un agent.",
        "Je transmets votre question à une personne.",
        "Un agent vous rappellera.",
        "Nous reviendrons vers vous.",
        "Un membre de notre équipe prendra contact avec vous.",
    ),
    "pt": (
        "Vou transferir você para um atendente.",
        "Um atendente vai responder aqui.",
        "Alguém entrará em contato com você.",
        "Encaminhei sua pergunta para a nossa equipe.",
        "Vou passar você para uma pessoa.",
        "Nossa equipe vai entrar em contato.",
        "Um colega vai ajudar você.",
        "Estou transferindo você para um atendente.",
        "Entraremos em contato.",
        "Nossa equipe responderá em breve.",
    ),
}
ADVICE = {
    "en": (
        "You can contact support by mail.",
        "Ask your tutor to accept the new time.",
        "Your tutor gets a message and can accept it.",
        "Connect your calendar with the site.",
        "If you want to talk to a person, say so.",
        "You can pass the lesson on to a friend.",
        "Open the team page and choose an agent.",
        "The tutor will confirm the new time.",
        "You will receive an email with a link.",
        "You can invite a colleague to your team.",
        "We charge the card on the first day.",
        "Raise the price in your profile.",
    ),
    "es": (
        "Puedes contactar con soporte por correo.",
        "Tu profesor recibe un mensaje.",
        "Conecta tu calendario con el sitio.",
        "El profesor confirmará la nueva hora.",
        "Recibirás un correo con un enlace.",
        "Le puedes pedir al profesor otra hora.",
        "Se te cobrará el primer día.",
    ),
    "de": (
        "Sie können den Support per E-Mail erreichen.",
        "Der Lehrer bestätigt die neue Zeit.",
        "Verbinden Sie Ihren Kalender mit der Seite.",
        "Sie erhalten eine E-Mail mit einem Link.",
        "Stellen Sie die Zeit ein.",
        "Eine Stunde wird verschoben, wenn der Lehrer zustimmt.",
    ),
    "fr": (
        "Vous pouvez contacter le support par e-mail.",
        "Le professeur confirmera la nouvelle heure.",
        "Connectez votre calendrier au site.",
        "Vous recevrez un e-mail avec un lien.",
        "Un e-mail vous aidera à confirmer.",
    ),
    "pt": (
        "Você pode falar com o suporte por e-mail.",
        "O professor confirmará o novo horário.",
        "Conecte o seu calendário ao site.",
        "Você receberá um e-mail com um link.",
        "Uma aula vai começar às 10.",
    ),
}
each_promise = pytest.mark.parametrize("text", [text for texts in PROMISES.values() for text in texts])


@each_promise
def test_a_promise_of_a_person_is_recognised(text):
    assert promises_person(text)
    assert promises_person(f"Open My Lessons. {text.upper()}")


@pytest.mark.parametrize("text", [text for texts in ADVICE.values() for text in texts])
def test_advice_that_speaks_of_people_promises_none(text):
    assert not promises_person(text)
