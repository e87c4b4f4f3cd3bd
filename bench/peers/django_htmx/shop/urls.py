"""The addresses of the slice."""

from django.urls import path

from shop import views

urlpatterns = [
    path("", views.login, name="login"),
    path("login/code", views.code, name="code"),
    path("logout", views.logout, name="logout"),
    path("dashboard", views.dashboard, name="dashboard"),
    path("orders", views.orders, name="orders"),
    path("repair-request/step-2", views.damage, name="damage"),
    path("repair-request/step-3", views.maintenance, name="maintenance"),
]
